// The simulator: the carrier contract, and what only the simulator promises. The agent is the real one.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callEndOf, type Conversation } from "../../../src/calls/life/call-end.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { createLogger, silentLogger } from "../../../src/core/logger.ts";
import type { CallOrder, Carrier, CreateTalker, Line, Talker } from "../../../src/telephony/port.ts";
import { createSimulator, type SimulatorOptions } from "../../../src/telephony/simulator/simulator.ts";
import { courseFor, SIMULATED_OUTCOMES } from "../../../src/telephony/simulator/test-numbers.ts";
import type { AgentBrief, BookingDesk } from "../../../src/voice/port.ts";
import { simulatedSpeech, simulatedVoice } from "../../../src/voice/simulated-speech.ts";
import { createTalkers } from "../../../src/voice/talker.ts";
import { createManualClock, settle, type ManualClock } from "../../support/manual-clock.ts";
import { BRIEF, callOrder, createCarrierLog, type CarrierLog } from "../carrier-log.ts";
import { carrierContract, type CarrierBench } from "../contract.ts";
import { answeredBy } from "../agent-scripts.ts";

const createTalker = createTalkers(simulatedVoice);
const AGREEABLE = "+919810012345";

function bench(speed: number): CarrierBench {
  const clock = createManualClock();
  return {
    factory: createSimulator({ clock, logger: silentLogger, speed, lines: 20, createTalker, courseFor }),
    recordsItself: false,
    numbers: { talks: AGREEABLE, busy: "+919810010001", neverAnswers: "+919810010002" },
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

/** How many of its timers wait. */
function countingClock(clock: ManualClock): ManualClock & { waiting(): number } {
  let waiting = 0;
  const after: Clock["after"] = (delayMs, callback) => {
    let isOpen = true;
    const close = () => {
      if (isOpen) waiting--;
      isOpen = false;
    };
    waiting++;
    const cancel = clock.after(delayMs, () => {
      close();
      callback();
    });
    return () => {
      close();
      cancel();
    };
  };
  return { ...clock, after, waiting: () => waiting };
}

const DESK: BookingDesk = {
  canBook: true,
  appointment: async () => null,
  confirm: async () => true,
  cancel: () => Promise.resolve(true),
  requestChange: async () => true,
  offer: async () => [{ label: "A", date: "2026-05-05", startTime: "10:30", endTime: "11:00" }],
  book: async () => ({ label: "A", date: "2026-05-05", startTime: "10:30", endTime: "11:00" }),
};

describe("the simulator", () => {
  let clock: ReturnType<typeof countingClock>;
  let log: CarrierLog;
  let logLines: string[];
  let folder: string;
  let carrier: Carrier;
  let desk: BookingDesk;

  const start = (given: Partial<SimulatorOptions> = {}) => {
    const logger = createLogger(clock, "debug", (line) => void logLines.push(line));
    const listener = {
      ...log,
      asked: (_: string, question: unknown) => answeredBy(desk, question),
    };
    carrier = createSimulator({ clock, logger, speed: 1, lines: 10, createTalker, courseFor, ...given })(listener);
  };
  const dial = (given: Partial<CallOrder> = {}) =>
    carrier.dial(callOrder({ recordingFile: join(folder, "call.wav"), ...given }));
  const briefed = (given: Partial<AgentBrief>): AgentBrief => ({ ...BRIEF, ...given });
  const conversation = (callId = "call-1"): Conversation => {
    const end = callEndOf(log.endOf(callId));
    if (end.kind !== "completed") throw new Error(end.code);
    return end;
  };
  const talk = async (given: Partial<CallOrder> = {}): Promise<Conversation> => {
    dial(given);
    await clock.advance(120_000);
    return conversation(given.callId);
  };
  const said = ({ transcript }: Conversation) => transcript.map(({ speaker, text }) => `${speaker}: ${text}`);

  beforeEach(() => {
    clock = countingClock(createManualClock());
    log = createCarrierLog();
    logLines = [];
    desk = DESK;
    folder = mkdtempSync(join(tmpdir(), "ringward-simulator-"));
    start();
  });
  afterEach(async () => {
    await carrier.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("the last four digits choose what happens", () => {
    const CAN_TRANSFER = briefed({ transferTo: "+911140002000" });
    const pressed = (answer: string, keys: string) => ({ keypad_answer: answer, keys });
    const EXPECTED = {
      "0001": { kind: "failed", code: "busy" },
      "0002": { kind: "failed", code: "no_answer" },
      "0003": { kind: "failed", code: "invalid_number" },
      "0004": { kind: "failed", code: "carrier_error" },
      "0005": { analytics: { disposition: "voicemail" }, extractedDetails: pressed("message_left", "") },
      "0006": { analytics: { disposition: "not_interested" }, extractedDetails: pressed("not_interested", "9") },
      "0007": {
        analytics: { disposition: "callback_scheduled" },
        extractedDetails: { ...pressed("call_later", "4"), callback_in_minutes: 30 },
        callbackInMinutes: 30,
      },
      "0008": { analytics: { disposition: "transferred" }, extractedDetails: pressed("transferred", "3") },
      "0009": { analytics: { disposition: "ended_by_customer" }, extractedDetails: pressed("none", "") },
      "0010": { analytics: { disposition: "session_ended" }, extractedDetails: pressed("acknowledged", "1") },
      "0011": { analytics: { disposition: "not_interested" }, extractedDetails: pressed("not_interested", "9") },
      "4711": { analytics: { disposition: "session_ended" }, extractedDetails: pressed("acknowledged", "1") },
    } as const;

    test.each(Object.entries(EXPECTED))(
      "…%s has its own outcome, which the agent comes to",
      async (digits, expected) => {
        dial({ to: `+91981001${digits}`, brief: CAN_TRANSFER });
        await clock.advance(120_000);
        const end = callEndOf(log.endOf("call-1"));
        expect(end).toMatchObject({ kind: "completed", ...expected });
        expect("callbackInMinutes" in end).toBe(digits === "0007");
      },
    );

    test("every outcome in the table is described and tested here", () => {
      const tested = Object.keys(EXPECTED).filter((digits) => digits !== "4711");
      expect(SIMULATED_OUTCOMES.map(({ lastFourDigits }) => lastFourDigits)).toEqual(tested.toSorted());
      for (const { description } of SIMULATED_OUTCOMES) expect(description).toMatch(/^[A-Z].*\.$/);
    });

    test.each(["0005", "0006", "0007", "0008", "0009", "0010", "0011"])(
      "the summary of a call to …%s has two or three sentences",
      async (digits) => {
        const { analytics } = await talk({ to: `+91981001${digits}`, brief: CAN_TRANSFER });
        expect([2, 3]).toContain(analytics!.summary.match(/[.](\s|$)/g)!.length);
        expect(analytics!.next_steps).not.toBe("");
      },
    );

    test("a person who wants a person is offered none where the agent has nobody, and hears the menu out", async () => {
      const call = await talk({ to: "+919810010008" });
      expect(call.extractedDetails).toEqual(pressed("none", ""));
    });

    test("a machine is left a message with neither the contact's name nor the purpose in it", async () => {
      const call = await talk({ to: "+919810010005" });
      expect(said(call).slice(1)).toEqual([
        // The machine speaks first, and we do not know yet that it is one.
        expect.stringMatching(/^agent: Press 1 .* …$/),
        "user: The person you have called cannot come to the telephone. Please leave a message after the tone.",
        "agent: This is Asha. We are sorry to have missed you.",
      ]);
    });
  });

  test("who answers takes the first place that the agent offers, and it is booked", async () => {
    const booked: string[] = [];
    desk = { ...DESK, book: async (label) => (booked.push(label), DESK.book(label)) };
    const call = await talk({ brief: briefed({ desk: { canBook: true } }) });
    expect(booked).toEqual(["A"]);
    expect(call.analytics!.disposition).toBe("appointment_booked");
    expect(said(call).slice(2)).toEqual([
      "user: Pressed 2.",
      "agent: These times are open.",
      "agent: Press 1 for Tuesday, the fifth of May, at ten thirty in the morning.",
      "agent: Press 0 if none of these suits you.",
      "user: Pressed 1.",
      "agent: Thank you. Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.",
      "agent: Thank you. Goodbye.",
    ]);
  });

  test("who answers confirms the appointment that the agent tells of", async () => {
    let confirmed = 0;
    desk = {
      ...DESK,
      appointment: async () => ({ date: "2026-05-05", startTime: "10:30" }),
      confirm: async () => ++confirmed > 0,
    };
    const call = await talk({ brief: briefed({ desk: { canBook: true } }) });
    expect(confirmed).toBe(1);
    expect(call.extractedDetails).toEqual({
      keypad_answer: "confirmed",
      keys: "1",
      appointment_date: "2026-05-05",
      appointment_time: "10:30",
    });
  });

  test("a call lasts as long as its words take, and the callee to find the key, and equally long each time", async () => {
    const first = await talk({ callId: "a" });
    const second = await talk({ callId: "b" });
    const agentsWords = first.transcript.filter(({ speaker }) => speaker === "agent").map(({ text }) => text);
    const sounds = await Promise.all(agentsWords.map((words) => simulatedSpeech(words)));
    const spokenMs = sounds.reduce((total, sound) => total + sound!.lengthMs, 0);
    expect(first.durationSeconds).toBeCloseTo(spokenMs / 1_000 + 1.5, 2);
    expect(second).toEqual(first);
  });

  test("the phone rings after a second and is answered four seconds later", async () => {
    dial();
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
    dial({ to: `+91981001${digits}` });
    await clock.advance(1_000 + seconds * 1_000 - 1);
    expect(log.of("call-1")).toEqual(["ringing"]);
    await clock.advance(1);
    expect(log.of("call-1")).toEqual(reports);
  });

  test("speed shortens the wait, not the call", async () => {
    const slow = await talk({ callId: "slow" });
    start({ speed: 100 });
    dial({ callId: "fast" });
    await clock.advance(50 + slow.durationSeconds * 10 - 1);
    expect(log.of("fast")).toEqual(["ringing", "answered"]);
    await clock.advance(1.01);
    expect(conversation("fast")).toEqual(slow);
  });

  test("no simulated time passes while the agent waits for the calendar", async () => {
    const brief = briefed({ desk: { canBook: true } });
    const quick = await talk({ callId: "quick", brief });
    start({ speed: 50 });
    const slowly = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
      await new Promise<void>((resolve) => clock.after(1_500, resolve));
      return answer;
    };
    desk = {
      ...DESK,
      appointment: () => slowly(DESK.appointment()),
      offer: (most) => slowly(DESK.offer(most)),
      book: (label) => slowly(DESK.book(label)),
    };
    expect(await talk({ callId: "slow", brief })).toEqual(quick);
  });

  describe("a hang-up", () => {
    test.each([1, 50])("at speed %d keeps the words said so far, and no callback", async (speed) => {
      start({ speed });
      dial({ to: "+919810010007" });
      await clock.advance((5_000 + 1_500) / speed);
      carrier.hangUp("call-1");
      await clock.advance(1 / speed);
      const call = conversation();
      expect(call).toMatchObject({
        durationSeconds: 1.5,
        transcript: [{ speaker: "agent", text: "Good morning, this …", timestamp: 0 }],
        extractedDetails: { keypad_answer: "none", keys: "" },
        analytics: { disposition: "session_ended" },
      });
      expect(call).not.toHaveProperty("callbackInMinutes");
    });

    test("does not wait for a calendar that never answers", async () => {
      desk = { ...DESK, offer: () => new Promise(() => {}) };
      dial({ brief: briefed({ desk: { canBook: true } }) });
      await clock.advance(600_000);
      expect(log.of("call-1")).toEqual(["ringing", "answered"]);
      carrier.hangUp("call-1");
      await clock.advance(0);
      expect(conversation().extractedDetails).toMatchObject({ keypad_answer: "unsettled", keys: "2" });
      expect(clock.waiting()).toBe(0);
    });

    test("tells how long they talked, whatever somebody sets the machine's clock to", async () => {
      for (const jumpMs of [-3_600_000, 3_600_000]) {
        const callId = `jump ${jumpMs}`;
        dial({ callId });
        await clock.advance(6_000);
        clock.jump(jumpMs);
        carrier.hangUp(callId);
        await clock.advance(0);
        expect(log.endOf(callId).durationSeconds).toBe(1);
      }
    });
  });

  test("stop tells how long they had talked, and ends a call whose calendar is still silent", async () => {
    desk = { ...DESK, appointment: () => new Promise(() => {}) };
    dial();
    dial({ callId: "waiting", brief: briefed({ desk: { canBook: true } }) });
    await clock.advance(8_000);
    await carrier.stop();
    expect(log.endOf("call-1")).toMatchObject({ kind: "failed", code: "interrupted", durationSeconds: 3 });
    expect(log.endOf("waiting")).toMatchObject({ kind: "failed", code: "interrupted" });
    expect(clock.waiting()).toBe(0);
  });

  test("a call beyond its lines fails and says what to change", async () => {
    start({ lines: 1 });
    expect(carrier.trunkLines(null)).toEqual({ kind: "open", lines: 1 });
    dial({ callId: "first" });
    expect(carrier.trunkLines(null)).toEqual({ kind: "open", lines: 0 });
    dial({ callId: "second" });
    await clock.advance(120_000);
    expect(log.endOf("first").kind).toBe("completed");
    expect(log.endOf("second")).toMatchObject({
      kind: "failed",
      code: "infrastructure_error",
      message: "Every line of the simulator is in use. Raise telephony.simulator.lines.",
    });
    await talk({ callId: "third" });
  });

  test("a thousand calls at once at high speed leave no timer and no file", async () => {
    start({ speed: 1_000, lines: 1_000 });
    for (let i = 0; i < 1_000; i++) {
      dial({ callId: `call ${i}`, to: `+9198100${String(i % 12).padStart(5, "1000")}` });
    }
    await clock.advance(600);
    for (let i = 0; i < 1_000; i++) expect(log.of(`call ${i}`).at(-1)).toBe("ended");
    expect(clock.waiting()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(carrier.trunkLines(null)).toEqual({ kind: "open", lines: 1_000 });
  });

  describe("the log", () => {
    test("has one line for each dial, and an error for a repeated one", async () => {
      dial();
      dial();
      expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
        { level: "info", message: "The simulator dials.", call_id: "call-1" },
        { level: "error", message: "The simulator refuses to dial.", call_id: "call-1", reason: "dialled_before" },
      ]);
    });

    test("has no number, name or word of a call, not even when its agent fails", async () => {
      await talk();
      start({
        createTalker: () => {
          throw new Error("Meera's number is +919810012345");
        },
      });
      dial({ callId: "failing" });
      await clock.advance(1_000);
      expect(log.endOf("failing")).toMatchObject({ kind: "failed", code: "infrastructure_error" });
      expect(logLines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({ level: "error", call_id: "failing" });
      for (const secret of ["98100", "11400", "Meera", "Asha", "Rao", "Press"]) {
        expect(logLines.join("\n")).not.toContain(secret);
      }
    });
  });

  describe("the line that it gives to the agent", () => {
    const sound = (words: string, lengthMs = 1_000) => ({ samples: null, lengthMs, words });
    const idle: Talker = { answered() {}, keyPressed() {}, heardWords() {}, ended: () => "left" };
    /** The line of a call that has been answered by somebody who only listens. */
    async function lineOf(given: Partial<Talker> = {}): Promise<Line> {
      let line: Line | undefined;
      const withLine: CreateTalker = () => ({ ...idle, ...given, answered: (answered) => void (line = answered) });
      start({ createTalker: withLine });
      dial();
      await clock.advance(5_000);
      return line!;
    }

    test("plays one sound after the other, and tells how far each has come", async () => {
      const line = await lineOf();
      const ends: unknown[] = [];
      const first = line.play(sound("one"), (end) => ends.push(end));
      const second = line.play(sound("two"), (end) => ends.push(end));
      await clock.advance(600);
      expect([first(), second()]).toEqual([600, 0]);
      await clock.advance(600);
      expect([first(), second()]).toEqual([1_000, 200]);
      expect(ends).toEqual([{ isWhole: true, playedMs: 1_000 }]);
      line.stopPlaying();
      expect(ends.slice(1)).toEqual([{ isWhole: false, playedMs: 200 }]);
      await clock.advance(10_000);
      expect(ends).toHaveLength(2);
    });

    test("keeps the place of a paused sound, and what follows waits for it", async () => {
      const line = await lineOf();
      const ends: unknown[] = [];
      const first = line.play(sound("one"), (end) => ends.push(end));
      const second = line.play(sound("two"), (end) => ends.push(end));
      await clock.advance(400);
      line.pausePlaying();
      line.pausePlaying();
      await clock.advance(60_000);
      expect([first(), second(), ends]).toEqual([400, 0, []]);
      line.resumePlaying();
      await clock.advance(700);
      expect([first(), second()]).toEqual([1_000, 100]);
      expect(ends).toEqual([{ isWhole: true, playedMs: 1_000 }]);
    });

    test("tells how far a paused sound came when it is stopped, and plays what comes then", async () => {
      const line = await lineOf();
      const ends: unknown[] = [];
      line.play(sound("one"), (end) => ends.push(end));
      await clock.advance(400);
      line.pausePlaying();
      await clock.advance(5_000);
      line.stopPlaying();
      expect(ends).toEqual([{ isWhole: false, playedMs: 400 }]);
      line.play(sound("two"), (end) => ends.push(end));
      await clock.advance(1_000);
      expect(ends.slice(1)).toEqual([{ isWhole: true, playedMs: 1_000 }]);
    });

    test("plays once what is asked for at the very end of another sound", async () => {
      const line = await lineOf();
      const ends: string[] = [];
      line.play(sound("one"), () => {
        line.play(sound("two"), () => ends.push("two"));
        line.play(sound("three"), () => ends.push("three"));
      });
      await clock.advance(1_999);
      expect(ends).toEqual([]);
      await clock.advance(1);
      expect(ends).toEqual(["two"]);
      await clock.advance(999);
      expect(ends).toEqual(["two"]);
      await clock.advance(1);
      expect(ends).toEqual(["two", "three"]);
    });

    test("lets the callee press once for what they heard, a moment after the agent fell silent", async () => {
      const keys: string[] = [];
      const line = await lineOf({ keyPressed: (key) => void keys.push(key) });
      line.play(sound("Press 1 please."), () => {});
      await clock.advance(2_499);
      expect(keys).toEqual([]);
      await clock.advance(1);
      expect(keys).toEqual(["1"]);
      await clock.advance(60_000);
      expect(keys).toEqual(["1"]);
    });

    test("does not let them press for words that were cut off", async () => {
      const keys: string[] = [];
      const line = await lineOf({ keyPressed: (key) => void keys.push(key) });
      line.play(sound("Press 1 please."), () => {});
      await clock.advance(500);
      line.stopPlaying();
      await clock.advance(60_000);
      expect(keys).toEqual([]);
    });

    test("plays nothing and asks for nothing once the call is over", async () => {
      const ends: unknown[] = [];
      const line = await lineOf({ ended: (by) => (ends.push(by), "left") });
      line.play(sound("one"), (end) => ends.push(end.isWhole));
      line.hangUp();
      expect(ends).toEqual([]);
      await clock.advance(0);
      expect(ends).toEqual([false, "us"]);
      expect(line.play(sound("two"), () => ends.push("played"))()).toBe(0);
      line.hangUp();
      await clock.advance(60_000);
      await settle();
      expect(ends).toEqual([false, "us"]);
      expect(log.endOf("call-1")).toMatchObject({ kind: "completed", talk: "left" });
      expect(clock.waiting()).toBe(0);
    });
  });
});
