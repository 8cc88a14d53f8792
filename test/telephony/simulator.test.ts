// The simulator: the carrier contract, and what only the simulator promises.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import type { Carrier, Conversation, DialRequest } from "../../src/telephony/port.ts";
import { SIMULATED_OUTCOMES } from "../../src/telephony/simulator/outcomes.ts";
import { createSimulator } from "../../src/telephony/simulator/simulator.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";
import { createCarrierLog, dialRequest, type CarrierLog } from "./carrier-log.ts";
import { carrierContract, type CarrierBench } from "./contract.ts";
import { loudness, parseWav } from "./wav.ts";

function bench(speed: number): CarrierBench {
  const clock = createManualClock();
  return {
    factory: createSimulator({ clock, logger: silentLogger, speed, lines: 20 }),
    numbers: { talks: "+919810012345", busy: "+919810010001", neverAnswers: "+919810010002" },
    async until(condition) {
      for (let steps = 0; !condition(); steps++) {
        if (steps > 400) throw new Error("it did not come to pass within 100 simulated seconds");
        await clock.advance(250 / speed);
      }
    },
    linger: () => clock.advance(100_000 / speed),
    close: async () => {},
  };
}

carrierContract("the simulator", () => bench(1));
carrierContract("the simulator at fifty times the speed", () => bench(50));

describe("the simulator", () => {
  let clock: ManualClock;
  let log: CarrierLog;
  let logLines: string[];
  let folder: string;
  let recordingFile: string;
  let carrier: Carrier;

  const start = (given: { speed?: number; lines?: number } = {}) => {
    const logger = createLogger(clock, "debug", (line) => void logLines.push(line));
    carrier = createSimulator({ clock, logger, speed: 1, lines: 10, ...given })(log);
  };
  const talk = async (given: Partial<DialRequest> = {}): Promise<Conversation> => {
    const request = dialRequest({ recordingFile, ...given });
    carrier.dial(request);
    await clock.advance(120_000);
    const end = log.endOf(request.callId);
    if (end.kind !== "completed") throw new Error(end.code);
    return end;
  };
  const words = ({ transcript }: Conversation) => transcript.map(({ text }) => text).join("\n");

  beforeEach(() => {
    clock = createManualClock();
    log = createCarrierLog();
    logLines = [];
    folder = mkdtempSync(join(tmpdir(), "ringward-simulator-"));
    recordingFile = join(folder, "call-1.wav");
    start();
  });
  afterEach(async () => {
    await carrier.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const EXPECTED = {
    "0001": { kind: "failed", code: "busy" },
    "0002": { kind: "failed", code: "no_answer" },
    "0003": { kind: "failed", code: "invalid_number" },
    "0004": { kind: "failed", code: "carrier_error" },
    "0005": { kind: "completed", analytics: { disposition: "voicemail" }, extractedDetails: {} },
    "0006": { kind: "completed", analytics: { disposition: "not_interested" }, extractedDetails: {} },
    "0007": {
      kind: "completed",
      analytics: { disposition: "callback_scheduled" },
      extractedDetails: { callback_in_minutes: 30 },
      callbackInMinutes: 30,
    },
    "0008": { kind: "completed", analytics: { disposition: "transferred" } },
    "0009": { kind: "completed", analytics: { disposition: "ended_by_customer" } },
    "0010": { kind: "completed", analytics: { disposition: "session_ended" } },
    "4711": { kind: "completed", analytics: { disposition: "session_ended" } },
  } as const;

  test.each(Object.entries(EXPECTED))("a number that ends in %s has its own outcome", async (digits, expected) => {
    carrier.dial(dialRequest({ recordingFile, to: `+91981001${digits}` }));
    await clock.advance(120_000);
    expect(log.endOf("call-1")).toMatchObject(expected);
    expect(existsSync(recordingFile)).toBe(expected.kind === "completed");
  });

  test("every outcome in the table is described and tested here", () => {
    expect(SIMULATED_OUTCOMES.map(({ lastFourDigits }) => lastFourDigits)).toEqual(
      Object.keys(EXPECTED)
        .filter((digits) => digits !== "4711")
        .toSorted(),
    );
    for (const { description } of SIMULATED_OUTCOMES) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test("only the callback asks to be called again", async () => {
    expect(await talk()).not.toHaveProperty("callbackInMinutes");
  });

  test.each(["0005", "0006", "0007", "0008", "0009", "0010"])(
    "the summary of a call to %s has two or three sentences",
    async (digits) => {
      const { analytics } = await talk({ to: `+91981001${digits}` });
      const sentences = analytics!.summary.replace("Dr. ", "").match(/[.](\s|$)/g);
      expect([2, 3]).toContain(sentences!.length);
      expect(analytics!.next_steps).not.toBe("");
    },
  );

  test("an ordinary call talks for 20 to 40 seconds, and equally long each time", async () => {
    const first = await talk({ callId: "a", additionalInfo: { doctor: "Rao", ward: 3 } });
    const second = await talk({ callId: "b", additionalInfo: { doctor: "Rao", ward: 3 } });
    expect(first.durationSeconds).toBeGreaterThanOrEqual(20);
    expect(first.durationSeconds).toBeLessThanOrEqual(40);
    expect(second).toEqual(first);
  });

  test("a customer who hangs up does so before half of an ordinary call", async () => {
    const whole = await talk({ callId: "whole" });
    expect((await talk({ to: "+919810010009" })).durationSeconds).toBeLessThan(whole.durationSeconds / 2);
  });

  test("the phone rings after a second and is answered four seconds later", async () => {
    carrier.dial(dialRequest({ recordingFile }));
    await clock.advance(999);
    expect(log.of("call-1")).toEqual([]);
    await clock.advance(1);
    expect(log.of("call-1")).toEqual(["ringing"]);
    await clock.advance(3_999);
    expect(log.of("call-1")).toEqual(["ringing"]);
    await clock.advance(1);
    expect(log.of("call-1")).toEqual(["ringing", "answered"]);
  });

  test.each([
    ["0002", 30, ["ringing", "ended"]],
    ["0010", 25, ["ringing", "answered"]],
  ])("a number that ends in %s rings for %d seconds", async (digits, seconds, reports) => {
    carrier.dial(dialRequest({ recordingFile, to: `+91981001${digits}` }));
    await clock.advance(1_000 + seconds * 1_000 - 1);
    expect(log.of("call-1")).toEqual(["ringing"]);
    await clock.advance(1);
    expect(log.of("call-1")).toEqual(reports);
  });

  test("speed shortens the wait, not the call", async () => {
    const atOnce = await talk({ callId: "slow" });
    start({ speed: 100 });
    carrier.dial(dialRequest({ callId: "fast", recordingFile }));
    await clock.advance(50 + atOnce.durationSeconds * 10 - 1);
    expect(log.of("fast")).toEqual(["ringing", "answered"]);
    await clock.advance(1);
    expect(log.endOf("fast")).toEqual(atOnce);
    expect(parseWav(readFileSync(recordingFile)).durationSeconds).toBe(atOnce.durationSeconds);
  });

  test("the agent greets, gives its name, its purpose and the additional information", async () => {
    const call = await talk({
      agent: { ...dialRequest({ recordingFile }).agent, name: "Kiran", greeting: "Good evening." },
      additionalInfo: { doctor_name: "Dr. Iyer", ward: 3, fasting: true, visit: { nested: 1 }, empty: " ", none: null },
    });
    expect(call.transcript[0]).toMatchObject({ speaker: "agent", timestamp: 0.5 });
    expect(call.transcript[0]!.text).toBe("Good evening. My name is Kiran. Am I speaking with Meera?");
    expect(words(call)).toContain("Confirm tomorrow's visit with Dr. Rao.");
    expect(words(call)).not.toContain("Be brief");
    expect(words(call)).toContain("I have noted: doctor name is Dr. Iyer, ward is 3, fasting is true.");
    expect(call.extractedDetails).toEqual({
      doctor_name: "Dr. Iyer",
      ward: 3,
      fasting: true,
      preferred_time: "morning",
    });
  });

  test("a time of day that is known already is not asked for", async () => {
    const call = await talk({ additionalInfo: { preferred_time: "evening" } });
    expect(call.extractedDetails).toEqual({ preferred_time: "evening" });
    expect(words(call)).not.toContain("Which time of day");
  });

  test("a voicemail hears neither the contact's name nor the purpose", async () => {
    const call = await talk({ to: "+919810010005", additionalInfo: { doctor: "Iyer" } });
    for (const secret of ["Meera", "Rao", "Iyer"]) expect(words(call)).not.toContain(secret);
  });

  test.each([
    ["hi-IN", "जी हाँ, कहिए।"],
    ["HI", "जी हाँ, कहिए।"],
    ["en-GB", "Yes, please go on."],
    ["ta-IN", "Yes, please go on."],
    ["", "Yes, please go on."],
  ])("in language %p the user says %p", async (language, line) => {
    const call = await talk({ agent: { ...dialRequest({ recordingFile }).agent, language } });
    expect(call.transcript[1]).toMatchObject({ speaker: "user", text: line });
  });

  test("an agent without prompt, greeting, contact or details still holds a conversation", async () => {
    const bare = { ...dialRequest({ recordingFile }).agent, prompt: "", greeting: "" };
    const call = await talk({ agent: bare, contactName: null });
    expect(call.transcript[0]!.text).toBe("Hello. My name is Asha.");
    expect(words(call)).not.toMatch(/undefined|null|calling about/);
  });

  test("a long prompt and 25 long values are spoken in bounded time, with no letter cut in half", async () => {
    const values = Array.from({ length: 25 }, (_, i) => [`key_${i}`, "😀".repeat(600)]);
    const agent = { ...dialRequest({ recordingFile }).agent, prompt: "word ".repeat(5_000) };
    const call = await talk({ agent, additionalInfo: Object.fromEntries(values) });
    expect(call.durationSeconds).toBeLessThan(60);
    expect(words(call).isWellFormed()).toBe(true);
  });

  test("each speaker is heard on their own side, while they speak and at no other time", async () => {
    const { transcript } = await talk();
    const { channels } = parseWav(readFileSync(recordingFile));
    for (const [i, { speaker, timestamp }] of transcript.entries()) {
      const [own, other] = speaker === "agent" ? channels : channels.toReversed();
      expect(loudness(own!, timestamp, timestamp + 1)).toBeGreaterThan(300);
      expect(loudness(other!, timestamp, timestamp + 1)).toBe(0);
      const previousEnd = i === 0 ? 0 : timestamp - 0.5;
      for (const channel of channels) expect(loudness(channel, previousEnd, timestamp)).toBe(0);
    }
  });

  test("a recording takes over a file that is there already, whatever its length and mode", async () => {
    writeFileSync(recordingFile, Buffer.alloc(2_000_000), { mode: 0o644 });
    const { durationSeconds } = await talk();
    expect(parseWav(readFileSync(recordingFile)).durationSeconds).toBe(durationSeconds);
    expect(statSync(recordingFile).mode & 0o777).toBe(0o600);
  });

  test.each([1, 50])("at speed %d a hang-up keeps the words said so far, and no callback", async (speed) => {
    start({ speed });
    carrier.dial(dialRequest({ recordingFile, to: "+919810010007" }));
    await clock.advance((5_000 + 2_100) / speed);
    carrier.hangUp("call-1");
    await clock.advance(1);
    const end = log.endOf("call-1");
    expect(end).toMatchObject({
      kind: "completed",
      durationSeconds: 2.1,
      transcript: [{ speaker: "agent", text: "Good morning, this is …", timestamp: 0.5 }],
      extractedDetails: {},
      analytics: { disposition: "session_ended" },
    });
    expect(end).not.toHaveProperty("callbackInMinutes");
    expect(parseWav(readFileSync(recordingFile)).durationSeconds).toBe(2.1);
  });

  test("a call's length stays within its script when somebody sets the machine's clock", async () => {
    const { durationSeconds } = await talk({ callId: "undisturbed" });
    for (const jumpMs of [-3_600_000, 3_600_000]) {
      const callId = `jump ${jumpMs}`;
      carrier.dial(dialRequest({ callId, recordingFile }));
      await clock.advance(6_000);
      clock.jump(jumpMs);
      carrier.hangUp(callId);
      await clock.advance(1);
      const end = log.endOf(callId);
      expect(end.durationSeconds).toBe(jumpMs < 0 ? 0 : durationSeconds);
      expect(parseWav(readFileSync(recordingFile)).durationSeconds).toBe(end.durationSeconds!);
    }
  });

  test("a call that stop interrupts tells how long they had talked, and leaves no recording", async () => {
    carrier.dial(dialRequest({ recordingFile }));
    await clock.advance(8_000);
    await carrier.stop();
    expect(log.endOf("call-1")).toMatchObject({ kind: "failed", code: "interrupted", durationSeconds: 3 });
    expect(existsSync(recordingFile)).toBe(false);
  });

  test("a call beyond its lines fails and says what to change", async () => {
    start({ lines: 1 });
    carrier.dial(dialRequest({ callId: "first", recordingFile }));
    carrier.dial(dialRequest({ callId: "second", recordingFile }));
    await clock.advance(120_000);
    expect(log.endOf("first").kind).toBe("completed");
    expect(log.endOf("second")).toMatchObject({ kind: "failed", code: "infrastructure_error" });
    await talk({ callId: "third" });
  });

  test("each dial is one line in the log, a repeated one is an error", async () => {
    carrier.dial(dialRequest({ recordingFile }));
    carrier.dial(dialRequest({ recordingFile }));
    expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", message: "The simulator dials.", call_id: "call-1" },
      { level: "error", message: "The simulator refuses to dial.", call_id: "call-1", reason: "dialled_before" },
    ]);
  });

  test("no number, name or word of a call enters the log, not even when its recording fails", async () => {
    await talk({ recordingFile: join(folder, "missing", "folder", "Meera.wav"), additionalInfo: { doctor: "Iyer" } });
    expect(logLines).toHaveLength(2);
    expect(JSON.parse(logLines[1]!)).toMatchObject({ level: "error", call_id: "call-1", code: "ENOENT" });
    for (const secret of ["98100", "11400", "Meera", "Asha", "Iyer", "Rao"]) {
      expect(logLines.join("\n")).not.toContain(secret);
    }
  });
});
