// Contract test of all carriers, independent of line and agent. Each carrier's own test runs it with its bench.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAILURE_CODES, type Carrier, type CarrierFactory, type Connection } from "../../src/telephony/port.ts";
import { createCarrierLog, callOrder, type CarrierLog } from "./carrier-log.ts";
import { parseWav } from "./wav.ts";

export interface CarrierBench {
  factory: CarrierFactory;
  /** What carries the calls; none where the carrier needs none. */
  trunkId?: string;
  /** Whether it writes the recording while the call lasts. */
  recordsItself: boolean;
  /** Numbers that the far end treats so. */
  numbers: { talks: string; busy: string; neverAnswers: string };
  /** Lets time pass until the condition holds; throws when it does not come to hold. */
  until(condition: () => boolean): Promise<void>;
  /** Lets so much time pass that every call would be over, and anything late would have come. */
  linger(): Promise<void>;
  close(): Promise<void>;
}

export function carrierContract(name: string, make: () => CarrierBench | Promise<CarrierBench>): void {
  describe(`${name} keeps the carrier contract`, () => {
    let bench: CarrierBench;
    let log: CarrierLog;
    let carrier: Carrier;
    let folder: string;

    const recordingFile = (callId: string) => join(folder, `${callId}.wav`);
    const dial = (callId: string, to: string, file = recordingFile(callId)) => {
      carrier.dial(callOrder({ callId, to, trunkId: bench.trunkId ?? null, recordingFile: file }));
    };
    const ended = (callId: string) => bench.until(() => log.has(callId, "ended"));
    const connection = (callId: string): Connection => {
      const end = log.endOf(callId);
      if (end.kind !== "completed") throw new Error(`${callId} failed: ${end.code}`);
      return end;
    };

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "ringward-carrier-"));
      bench = await make();
      log = createCarrierLog();
      carrier = bench.factory(log);
      await bench.until(() => carrier.trunkLines(bench.trunkId ?? null).kind === "open");
    });
    afterEach(async () => {
      await carrier.stop();
      await bench.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("it has a name and at least one line", () => {
      expect(carrier.name).not.toBe("");
      expect(carrier.lines).toBeGreaterThanOrEqual(1);
    });

    test("dial returns before anything is reported", () => {
      dial("a", bench.numbers.talks);
      dial("b", bench.numbers.busy);
      expect(log.count()).toBe(0);
    });

    test("a call that is answered reports ringing, answered and ended, each once and in this order", async () => {
      dial("a", bench.numbers.talks);
      await ended("a");
      await bench.linger();
      expect(log.of("a")).toEqual(["ringing", "answered", "ended"]);
    });

    test("a completed call tells for how long they talked, and hands on what the agent left", async () => {
      dial("a", bench.numbers.talks);
      await ended("a");
      const { durationSeconds, talk } = connection("a");
      expect(durationSeconds).toBeGreaterThan(0);
      expect(talk).toMatchObject({
        transcript: expect.any(Array),
        extractedDetails: { answer: expect.any(String) },
      });
    });

    test("a recording is a playable WAV as long as the call, and only its owner may read it", async () => {
      dial("a", bench.numbers.talks);
      await ended("a");
      const { recorded, durationSeconds } = connection("a");
      expect(recorded).toBe(true);
      expect(existsSync(recordingFile("a"))).toBe(bench.recordsItself);
      if (!bench.recordsItself) return;
      expect(Math.abs(parseWav(readFileSync(recordingFile("a"))).durationSeconds - durationSeconds)).toBeLessThan(0.02);
      expect(statSync(recordingFile("a")).mode & 0o777).toBe(0o600);
    });

    test("a recording that cannot be written costs the recording, not the call", async () => {
      dial("a", bench.numbers.talks, join(folder, "missing", "folder", "a.wav"));
      await ended("a");
      expect(connection("a").recorded).toBe(!bench.recordsItself);
    });

    test("a busy line fails without an answer", async () => {
      dial("a", bench.numbers.busy);
      await ended("a");
      expect(log.endOf("a")).toMatchObject({ kind: "failed", code: "busy" });
      expect(log.has("a", "answered")).toBe(false);
    });

    test("an unanswered phone rings, and then the call fails", async () => {
      dial("a", bench.numbers.neverAnswers);
      await ended("a");
      expect(log.of("a")).toEqual(["ringing", "ended"]);
      expect(log.endOf("a")).toMatchObject({ kind: "failed", code: "no_answer" });
    });

    test("a failure has a known code and a message without the number", async () => {
      for (const [callId, to] of Object.entries(bench.numbers)) dial(callId, to);
      await bench.until(() => Object.keys(bench.numbers).every((callId) => log.has(callId, "ended")));
      for (const [callId, to] of Object.entries(bench.numbers)) {
        const end = log.endOf(callId);
        if (end.kind === "completed") continue;
        expect(FAILURE_CODES).toContain(end.code);
        expect(end.message).toMatch(/^[A-Z].*\.$/);
        expect(end.message).not.toContain(to.slice(-4));
      }
    });

    test("a call that is hung up before the answer fails as interrupted", async () => {
      dial("ringing", bench.numbers.neverAnswers);
      dial("dialling", bench.numbers.neverAnswers);
      carrier.hangUp("dialling");
      await bench.until(() => log.has("ringing", "ringing"));
      carrier.hangUp("ringing");
      await bench.linger();
      expect(log.of("ringing")).toEqual(["ringing", "ended"]);
      expect(log.of("dialling").at(-1)).toBe("ended");
      for (const callId of ["ringing", "dialling"]) {
        expect(log.endOf(callId)).toMatchObject({ kind: "failed", code: "interrupted" });
      }
    });

    test("a call that is hung up while they talk is completed, once, with its recording so far", async () => {
      dial("a", bench.numbers.talks);
      await bench.until(() => log.has("a", "answered"));
      carrier.hangUp("a");
      carrier.hangUp("a");
      await bench.linger();
      expect(log.of("a")).toEqual(["ringing", "answered", "ended"]);
      const { recorded, durationSeconds } = connection("a");
      expect(recorded).toBe(true);
      if (!bench.recordsItself) return;
      expect(Math.abs(parseWav(readFileSync(recordingFile("a"))).durationSeconds - durationSeconds)).toBeLessThan(0.02);
    });

    test("hanging up an unknown call, or one that is over, does nothing", async () => {
      carrier.hangUp("unknown");
      dial("a", bench.numbers.busy);
      await ended("a");
      carrier.hangUp("a");
      await bench.linger();
      expect(log.count()).toBe(log.of("a").length);
      expect(log.of("a").filter((report) => report === "ended")).toHaveLength(1);
    });

    test("the same call is not dialled twice, neither while it lives nor afterwards", async () => {
      dial("a", bench.numbers.talks);
      dial("a", bench.numbers.talks);
      await ended("a");
      dial("a", bench.numbers.talks);
      await bench.linger();
      expect(log.of("a")).toEqual(["ringing", "answered", "ended"]);
    });

    test("calls at the same time do not disturb one another", async () => {
      const count = Math.min(carrier.lines, 12);
      const kinds = ["talks", "busy", "neverAnswers"] as const;
      const calls = Array.from({ length: count }, (_, i) => ({ callId: `call-${i}`, kind: kinds[i % 3]! }));
      for (const { callId, kind } of calls) dial(callId, bench.numbers[kind]);
      await bench.until(() => calls.every(({ callId }) => log.has(callId, "ended")));
      await bench.linger();
      for (const { callId, kind } of calls) {
        const reports = log.of(callId);
        if (kind === "talks") expect(reports).toEqual(["ringing", "answered", "ended"]);
        if (kind === "neverAnswers") expect(reports).toEqual(["ringing", "ended"]);
        if (kind === "busy") expect(reports.filter((report) => report !== "ringing")).toEqual(["ended"]);
        expect(log.endOf(callId).kind).toBe(kind === "talks" ? "completed" : "failed");
      }
    });

    test("stop ends every call as interrupted, and nothing is reported afterwards", async () => {
      dial("talking", bench.numbers.talks);
      await bench.until(() => log.has("talking", "answered"));
      dial("ringing", bench.numbers.neverAnswers);
      await bench.until(() => log.has("ringing", "ringing"));
      dial("dialling", bench.numbers.talks);
      await carrier.stop();
      for (const callId of ["talking", "ringing", "dialling"]) {
        expect(log.endOf(callId)).toMatchObject({ kind: "failed", code: "interrupted" });
        expect(log.of(callId).at(-1)).toBe("ended");
        // The agent reports what was said, where somebody was there.
        expect("talk" in log.endOf(callId)).toBe(callId === "talking");
      }
      const reported = log.count();
      await bench.linger();
      expect(log.count()).toBe(reported);
    });

    test("after stop, dialling, hanging up and stopping again neither throw nor report", async () => {
      await carrier.stop();
      dial("a", bench.numbers.talks);
      carrier.hangUp("a");
      await carrier.stop();
      await bench.linger();
      expect(log.count()).toBe(0);
    });
  });
}
