// Guarantees of the simulator only: timing, speed, lines, hang-ups and log. The agent is the real one.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { clausesOf } from "../../../src/speech/tts/clauses.ts";
import { simulatedSpeech } from "../../../src/voice/simulated-speech.ts";
import { briefed, DESK, useSimulator } from "./stage.ts";

const stage = useSimulator();

test("a call lasts as long as its words take, the callee to find the keys and to object at the end, and equally long each time", async () => {
  const first = await stage.talk({ callId: "a" });
  const second = await stage.talk({ callId: "b" });
  const agentsWords = first.transcript.filter(({ speaker }) => speaker === "agent").map(({ text }) => text);
  const sounds = await Promise.all(agentsWords.flatMap(clausesOf).map((words) => simulatedSpeech(words)));
  const spokenMs = sounds.reduce((total, sound) => total + sound!.lengthMs, 0);
  expect(first.durationSeconds).toBeCloseTo(spokenMs / 1_000 + 2 * 1.5 + 0.7, 2);
  expect(second).toEqual(first);
});

test("the phone rings after a second and is answered four seconds later", async () => {
  stage.dial();
  await stage.clock.advance(999);
  expect(stage.log.of("call-1")).toEqual([]);
  await stage.clock.advance(1);
  expect(stage.log.of("call-1")).toEqual(["ringing"]);
  await stage.clock.advance(3_999);
  expect(stage.log.of("call-1")).toEqual(["ringing"]);
  await stage.clock.advance(1);
  expect(stage.log.of("call-1")).toEqual(["ringing", "answered"]);
});

test.each([
  ["0002", 30, ["ringing", "ended"]],
  ["0010", 25, ["ringing", "answered"]],
])("a number that ends in %s rings for %d seconds", async (digits, seconds, reports) => {
  stage.dial({ to: `+91981001${digits}` });
  await stage.clock.advance(1_000 + seconds * 1_000 - 1);
  expect(stage.log.of("call-1")).toEqual(["ringing"]);
  await stage.clock.advance(1);
  expect(stage.log.of("call-1")).toEqual(reports);
});

test("speed shortens the wait, not the call", async () => {
  const slow = await stage.talk({ callId: "slow" });
  stage.start({ speed: 100 });
  stage.dial({ callId: "fast" });
  await stage.clock.advance(50 + slow.durationSeconds * 10 - 1);
  expect(stage.log.of("fast")).toEqual(["ringing", "answered"]);
  await stage.clock.advance(1.01);
  expect(stage.conversation("fast")).toEqual(slow);
});

test("no simulated time passes while the agent waits for the calendar", async () => {
  const brief = briefed({ desk: { canBook: true } });
  const quick = await stage.talk({ callId: "quick", brief });
  stage.start({ speed: 50 });
  const slowly = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    await new Promise<void>((resolve) => stage.clock.after(1_500, resolve));
    return answer;
  };
  stage.desk = {
    ...DESK,
    appointment: () => slowly(DESK.appointment()),
    offer: (most) => slowly(DESK.offer(most)),
    book: (label) => slowly(DESK.book(label)),
  };
  expect(await stage.talk({ callId: "slow", brief })).toEqual(quick);
});

describe("a hang-up", () => {
  test.each([1, 50])("at speed %d keeps the words said so far, and no callback", async (speed) => {
    stage.start({ speed });
    stage.dial({ to: "+919810010007" });
    await stage.clock.advance((5_000 + 1_500) / speed);
    stage.carrier.hangUp("call-1");
    await stage.clock.advance(1 / speed);
    const call = stage.conversation();
    expect(call).toMatchObject({
      durationSeconds: 1.5,
      transcript: [{ speaker: "agent", text: "Good morning, …", timestamp: 0 }],
      extractedDetails: { answer: "none", keys: "" },
      analytics: { disposition: "session_ended" },
    });
    expect(call).not.toHaveProperty("callbackInMinutes");
  });

  test("does not wait for a calendar that never answers", async () => {
    stage.desk = { ...DESK, offer: () => new Promise(() => {}) };
    stage.dial({ brief: briefed({ desk: { canBook: true } }) });
    await stage.clock.advance(600_000);
    expect(stage.log.of("call-1")).toEqual(["ringing", "answered"]);
    stage.carrier.hangUp("call-1");
    await stage.clock.advance(0);
    expect(stage.conversation().extractedDetails).toMatchObject({ answer: "unsettled", keys: "11" });
    expect(stage.clock.waiting()).toBe(0);
  });

  test("reports the call's duration whatever the machine's clock is set to", async () => {
    for (const jumpMs of [-3_600_000, 3_600_000]) {
      const callId = `jump ${jumpMs}`;
      stage.dial({ callId });
      await stage.clock.advance(6_000);
      stage.clock.jump(jumpMs);
      stage.carrier.hangUp(callId);
      await stage.clock.advance(0);
      expect(stage.log.endOf(callId).durationSeconds).toBe(1);
    }
  });
});

test("stop tells how long they had talked, and ends a call whose calendar is still silent", async () => {
  stage.desk = { ...DESK, appointment: () => new Promise(() => {}) };
  stage.dial();
  stage.dial({ callId: "waiting", brief: briefed({ desk: { canBook: true } }) });
  await stage.clock.advance(8_000);
  await stage.carrier.stop();
  expect(stage.log.endOf("call-1")).toMatchObject({ kind: "failed", code: "interrupted", durationSeconds: 3 });
  expect(stage.log.endOf("waiting")).toMatchObject({ kind: "failed", code: "interrupted" });
  expect(stage.clock.waiting()).toBe(0);
});

test("a call beyond its lines fails and says what to change", async () => {
  stage.start({ lines: 1 });
  expect(stage.carrier.trunkLines(null)).toEqual({ kind: "open", lines: 1 });
  stage.dial({ callId: "first" });
  expect(stage.carrier.trunkLines(null)).toEqual({ kind: "open", lines: 0 });
  stage.dial({ callId: "second" });
  await stage.clock.advance(120_000);
  expect(stage.log.endOf("first").kind).toBe("completed");
  expect(stage.log.endOf("second")).toMatchObject({
    kind: "failed",
    code: "infrastructure_error",
    message: "Every line of the simulator is in use. Raise telephony.simulator.lines.",
  });
  await stage.talk({ callId: "third" });
});

test("a thousand calls at once at high speed leave no timer and no file", async () => {
  stage.start({ speed: 1_000, lines: 1_000 });
  for (let i = 0; i < 1_000; i++) {
    stage.dial({ callId: `call ${i}`, to: `+9198100${String(i % 12).padStart(5, "1000")}` });
  }
  await stage.clock.advance(600);
  for (let i = 0; i < 1_000; i++) expect(stage.log.of(`call ${i}`).at(-1)).toBe("ended");
  expect(stage.clock.waiting()).toBe(0);
  expect(readdirSync(stage.folder)).toEqual([]);
  expect(stage.carrier.trunkLines(null)).toEqual({ kind: "open", lines: 1_000 });
});

describe("the log", () => {
  test("has one line for each dial, and an error for a repeated one", async () => {
    stage.dial();
    stage.dial();
    expect(stage.logLines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", message: "The simulator dials.", call_id: "call-1" },
      { level: "error", message: "The simulator refuses to dial.", call_id: "call-1", reason: "dialled_before" },
    ]);
  });

  test("has no number, name or word of a call, not even when its agent fails", async () => {
    await stage.talk();
    stage.start({
      createCallAgent: () => {
        throw new Error("Meera's number is +919810012345");
      },
    });
    stage.dial({ callId: "failing" });
    await stage.clock.advance(1_000);
    expect(stage.log.endOf("failing")).toMatchObject({ kind: "failed", code: "infrastructure_error" });
    expect(stage.logLines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ level: "error", call_id: "failing" });
    for (const secret of ["98100", "11400", "Meera", "Asha", "Rao", "Press"]) {
      expect(stage.logLines.join("\n")).not.toContain(secret);
    }
  });
});
