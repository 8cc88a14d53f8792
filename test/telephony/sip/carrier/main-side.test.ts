// The main thread's side of SIP, with a worker and a clock that the test holds in its hands.
import { beforeEach, describe, expect, test } from "bun:test";
import { createLogger } from "../../../../src/core/logger.ts";
import type { Arrival, BookingDesk, DialRequest } from "../../../../src/telephony/port.ts";
import { createSipCarrier, type SipCarrier, type SipCarrierOptions } from "../../../../src/telephony/sip/carrier.ts";
import type { Question } from "../../../../src/telephony/sip/protocol.ts";
import { createManualClock, settle, type ManualClock } from "../../../support/manual-clock.ts";
import { createCarrierLog, dialRequest, type CarrierLog } from "../../carrier-log.ts";
import { trunkAt } from "../signalling/agent-under-test.ts";
import { carrierOptions, humming, workerSettings } from "./bench.ts";
import { beat, createFakeWorkers, messageAt, trunkState, type FakeWorkers } from "./fake-worker.ts";

let clock: ManualClock;
let workers: FakeWorkers;
let log: CarrierLog;
let logLines: string[];
let carrier: SipCarrier;
let wokenTimes: number;
let arrivals: Arrival[];

const TRUNK = trunkAt(5060, { lines: 3 });

function start(given: Partial<SipCarrierOptions> = {}): void {
  const logger = createLogger(clock, "debug", (line) => void logLines.push(line));
  const woken = () => void wokenTimes++;
  const listener = { ...log, arrived: (arrival: Arrival) => void arrivals.push(arrival) };
  carrier = createSipCarrier(carrierOptions({ clock, logger, startWorker: workers.start, woken, ...given }))(listener);
  carrier.setTrunks([TRUNK]);
}

function run(): void {
  workers.last().say({ type: "ready", port: 5060 });
  workers.last().say(beat());
}

async function dial(given: Partial<DialRequest> = {}): Promise<void> {
  carrier.dial(dialRequest({ trunkId: "main", recordingFile: "/nowhere/a.wav", ...given }));
  await settle();
}

const agentWith = (...keys: string[]): DialRequest["agent"] => ({
  ...dialRequest({ recordingFile: "" }).agent,
  prompts: keys.map((key, i) => ({ kind: i === 0 ? "greeting" : "menu", key })),
});

beforeEach(() => {
  clock = createManualClock();
  workers = createFakeWorkers();
  log = createCarrierLog();
  logLines = [];
  wokenTimes = 0;
  arrivals = [];
});

describe("room", () => {
  const closed = (reason: string, until: number | null = null) => ({ kind: "closed", reason, until });

  beforeEach(() => start());

  test("a number without a trunk has none", () => {
    run();
    expect(carrier.room(null)).toEqual(closed("number_has_no_trunk") as never);
  });

  test("there is none on a trunk that nobody set up, and none before the worker runs and has seen the trunk", () => {
    expect(carrier.room("main")).toEqual(closed("trunk_unavailable") as never);
    workers.last().say({ type: "ready", port: 5060 });
    expect(carrier.room("main")).toEqual(closed("trunk_unavailable") as never);
    workers.last().say(beat());
    expect(carrier.room("main").kind).toBe("open");
    expect(carrier.room("other")).toEqual(closed("trunk_unavailable") as never);
  });

  test.each([
    ["is down", { state: "down" }, null],
    ["rests", { restingUntilMs: 1_800_000_000_000 }, 1_800_000_000_000],
    ["has no address yet", { state: "unknown", address: null }, null],
  ] as const)("there is none on a trunk that %s", (_, state, until) => {
    run();
    workers.last().say({ type: "trunkState", state: trunkState(state) });
    expect(carrier.room("main")).toEqual(closed("trunk_unavailable", until) as never);
  });

  test("there is none while audio leaves more than 20 ms late", () => {
    run();
    workers.last().say(beat({ lagP99Ms: 20.5 }));
    expect(carrier.room("main")).toEqual(closed("overloaded") as never);
    workers.last().say(beat({ lagP99Ms: 20 }));
    expect(carrier.room("main").kind).toBe("open");
  });

  test("every call in either direction takes a line at once, and gives it back at its end", async () => {
    run();
    carrier.dial(dialRequest({ callId: "out", trunkId: "main", recordingFile: "" }));
    expect(carrier.room("main")).toEqual({ kind: "open", lines: 2 });
    workers.last().say({ type: "arrived", callId: "in", trunkId: "main", from: "+91981", to: "+9111" });
    expect(carrier.room("main")).toEqual({ kind: "open", lines: 1 });
    await settle();
    workers.last().say({ type: "ended", callId: "out", end: { kind: "failed", code: "busy", message: "Busy." } });
    arrivals[0]!.reject("no_line");
    expect(carrier.room("main")).toEqual({ kind: "open", lines: 3 });
  });

  test("whoever waits is woken when the worker is ready and when a trunk takes calls again, not at every beat", () => {
    run();
    expect(wokenTimes).toBe(2);
    workers.last().say(beat());
    workers.last().say(beat({ lagP99Ms: 40 }));
    expect(wokenTimes).toBe(2);
    workers.last().say(beat());
    expect(wokenTimes).toBe(3);
    workers.last().say({ type: "trunkState", state: trunkState({ state: "down" }) });
    workers.last().say({ type: "trunkState", state: trunkState() });
    expect(wokenTimes).toBe(4);
  });
});

describe("the worker's life:", () => {
  test("a silent worker is taken for dead after ten seconds; its calls end with their ladder, and a new one starts", async () => {
    start();
    run();
    await dial({ callId: "a" });
    workers.last().say({ type: "trace", callId: "a", message: messageAt(5) });
    workers.last().say({ type: "answered", callId: "a" });
    await clock.advance(9_000);
    workers.last().say(beat());
    await clock.advance(9_000);
    expect(log.has("a", "ended")).toBe(false);
    await clock.advance(2_500);
    expect(workers.all[0]!.isTerminated).toBe(true);
    const end = log.endOf("a");
    expect(end).toMatchObject({ kind: "failed", code: "interrupted", durationSeconds: 20 });
    expect(end.line).toEqual({ trunkId: "main", trace: [messageAt(5)], media: null, captured: false });
    expect(carrier.room("main").kind).toBe("closed");
    await clock.advance(1_000);
    expect(workers.all).toHaveLength(2);
    expect(workers.last().told).toMatchObject([{ type: "start", trunks: [{ id: "main" }] }]);
  });

  test("a main thread that was held up hears the beats that waited before it judges", async () => {
    start();
    run();
    // One check was due in the minute that it was away, however long that was.
    clock.jump(60_000);
    await clock.advance(2_500);
    workers.last().say(beat());
    await clock.advance(9_000);
    expect(workers.all).toHaveLength(1);
  });

  test("a worker that dies again and again is started after 1, 2, 4 … and at most 30 seconds", async () => {
    start();
    const waits: number[] = [];
    for (let deaths = 0; deaths < 7; deaths++) {
      workers.last().die();
      const before = workers.all.length;
      for (let seconds = 1; workers.all.length === before; seconds++) {
        await clock.advance(1_000);
        if (workers.all.length > before) waits.push(seconds);
      }
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(carrier.status().restarts).toBe(7);
  });

  test("after a good minute the next death costs one second again", async () => {
    start();
    workers.last().die();
    await clock.advance(1_000);
    run();
    for (let seconds = 0; seconds < 61; seconds += 1) {
      await clock.advance(1_000);
      workers.last().say(beat());
    }
    workers.last().die();
    await clock.advance(1_000);
    expect(workers.all).toHaveLength(3);
  });

  test("a worker that cannot start says why in the status, and is tried again every 30 seconds", async () => {
    start();
    workers.last().say({ type: "cannotStart", message: "Port 5060 is taken." });
    expect(carrier.status()).toMatchObject({ worker: "failed", message: "Port 5060 is taken.", port: null });
    expect(carrier.trunkStates()).toMatchObject([{ id: "main", state: "unknown", lastError: "Port 5060 is taken." }]);
    await clock.advance(29_000);
    expect(workers.all).toHaveLength(1);
    await clock.advance(1_000);
    run();
    expect(carrier.status()).toMatchObject({ worker: "running", message: null, port: 5060, restarts: 1 });
    expect(carrier.status()).toMatchObject({ lagP99Ms: 1, droppedStrangers: 7, droppedMalformed: 2 });
  });

  test("nothing that an old worker still says is heard, and no call is dialled again", async () => {
    start();
    run();
    await dial({ callId: "a" });
    workers.last().die();
    await clock.advance(1_000);
    run();
    workers.all[0]!.say({ type: "answered", callId: "a" });
    await dial({ callId: "a" });
    expect(log.of("a")).toEqual(["ended"]);
    expect(workers.last().toldTypes()).toEqual(["start"]);
  });

  test("the dead worker's trunks are told as unknown", () => {
    const told: string[] = [];
    start({ trunkStateChanged: ({ id, state }) => void told.push(`${id} ${state}`) });
    run();
    workers.last().say({ type: "trunkState", state: trunkState() });
    workers.last().die();
    expect(told).toEqual(["main up", "main unknown"]);
  });

  test("a worker that does not stop in time is ended, and its calls are told as interrupted", async () => {
    start({ drainMs: 3_000 });
    run();
    await dial({ callId: "a" });
    const stopped = carrier.stop();
    await settle();
    expect(workers.last().told.at(-1)).toEqual({ type: "stop", drainMs: 3_000 });
    await clock.advance(8_000);
    await stopped;
    expect(workers.last().isTerminated).toBe(true);
    expect(log.endOf("a")).toMatchObject({ kind: "failed", code: "interrupted" });
    await clock.advance(60_000);
    expect(workers.all).toHaveLength(1);
  });
});

describe("prompts", () => {
  test("each is sent once in a worker's life, before the call that needs it", async () => {
    const loaded: string[] = [];
    start({
      async loadPrompt(key) {
        loaded.push(key);
        return new Int16Array(8);
      },
    });
    run();
    await Promise.all([
      dial({ callId: "a", agent: agentWith("g", "m") }),
      dial({ callId: "b", agent: agentWith("g") }),
    ]);
    await dial({ callId: "c", agent: agentWith("g", "m") });
    expect(loaded).toEqual(["g", "m"]);
    expect(workers.last().toldTypes().slice(2).toSorted()).toEqual(["dial", "dial", "dial", "prompt", "prompt"]);
    expect(workers.last().told.at(-1)).toMatchObject({ order: { prompts: { greeting: "g", menu: "m" } } });
    workers.last().die();
    await clock.advance(1_000);
    run();
    await dial({ callId: "d", agent: agentWith("g") });
    expect(workers.last().toldTypes()).toEqual(["start", "prompt", "dial"]);
  });

  test("one that cannot be loaded costs the prompt, not the call", async () => {
    start({
      loadPrompt: (key) => (key === "g" ? Promise.reject(new Error("gone")) : Promise.resolve(new Int16Array(8))),
    });
    run();
    await dial({ agent: agentWith("g", "m") });
    expect(workers.last().told.at(-1)).toMatchObject({ type: "dial", order: { prompts: { menu: "m" } } });
    expect(logLines.join()).toContain("a prompt could not be loaded");
  });

  test("after 200 the worker forgets them, and those that are needed come again", async () => {
    start();
    run();
    for (let i = 0; i <= 201; i++) await dial({ callId: `call-${i}`, agent: agentWith(`key-${i}`) });
    await dial({ callId: "again", agent: agentWith("key-0") });
    const types = workers.last().toldTypes();
    expect(types.filter((type) => type === "forgetPrompts")).toHaveLength(1);
    expect(types.slice(-2)).toEqual(["prompt", "dial"]);
  });

  test("a call that is hung up while they load is never dialled", async () => {
    let arrive: (samples: Int16Array) => void = () => {};
    start({ loadPrompt: () => new Promise((resolve) => (arrive = resolve)) });
    run();
    await dial({ callId: "a", agent: agentWith("g") });
    carrier.hangUp("a");
    expect(log.count()).toBe(0);
    await clock.advance(0);
    arrive(new Int16Array(8));
    await settle();
    expect(log.endOf("a")).toMatchObject({
      code: "interrupted",
      message: "The call was hung up before it was answered.",
    });
    expect(workers.last().toldTypes()).not.toContain("dial");
  });
});

describe("questions of an agent", () => {
  const offer = { label: "A", date: "2026-11-16", startTime: "10:00", endTime: "10:15" };
  const desk: BookingDesk = {
    canBook: true,
    appointment: async () => ({ date: "2026-11-15", startTime: "09:30" }),
    confirm: async () => true,
    requestChange: async () => false,
    offer: async (most) => Array.from({ length: most }, () => offer),
    book: () => Promise.reject(new Error("Meera's place is gone")),
  };
  const answerOf = async (question: Question, callId = "call-1") => {
    workers.last().say({ type: "ask", askId: 9, callId, question });
    await settle();
    const told = workers.last().told.at(-1);
    return told?.type === "answer" && told.askId === 9 ? told.answer : null;
  };

  test("are answered from the desk of its own call", async () => {
    start();
    run();
    await dial({ desk });
    expect(workers.last().told.at(-1)).toMatchObject({ type: "dial", order: { hasDesk: true, canBook: true } });
    expect(await answerOf({ kind: "appointment" })).toEqual({ value: { date: "2026-11-15", startTime: "09:30" } });
    expect(await answerOf({ kind: "confirm" })).toEqual({ value: true });
    expect(await answerOf({ kind: "requestChange" })).toEqual({ value: false });
    expect(await answerOf({ kind: "offer", most: 2 })).toEqual({ value: [offer, offer] });
  });

  test("that fail are told so, and logged without anybody's name", async () => {
    start();
    run();
    await dial({ desk });
    await dial({ callId: "without", desk: null });
    expect(await answerOf({ kind: "book", label: "A" })).toEqual({ failed: true });
    expect(await answerOf({ kind: "confirm" }, "without")).toEqual({ failed: true });
    expect(await answerOf({ kind: "confirm" }, "unknown")).toEqual({ failed: true });
    expect(logLines.filter((line) => line.includes("could not be answered"))).toHaveLength(2);
    expect(logLines.join()).not.toContain("Meera");
  });

  test("for the voice are answered where it has the call's language, and with null where it has not", async () => {
    const asked: string[] = [];
    start({ voice: { ...humming, speaks: (language) => (asked.push(language), language === "en-IN") } });
    run();
    await dial();
    await dial({ callId: "hindi", agent: { ...agentWith(), language: "hi" } });
    expect(await answerOf({ kind: "speak", text: "Good morning" })).toMatchObject({ value: { length: 2_000 } });
    expect(await answerOf({ kind: "speak", text: "Good morning" }, "hindi")).toEqual({ value: null });
    expect(asked).toEqual(["en-IN", "hi"]);
  });
});

describe("a call that arrives", () => {
  const request = dialRequest({ callId: "in", trunkId: "main", recordingFile: "/nowhere/in.wav" });

  beforeEach(() => {
    start();
    run();
    workers.last().say({ type: "arrived", callId: "in", trunkId: "main", from: "+919810012345", to: "+911140001000" });
  });

  test("is told with its numbers, and taken once", async () => {
    expect(arrivals).toMatchObject([{ callId: "in", trunkId: "main", from: "+919810012345", to: "+911140001000" }]);
    arrivals[0]!.accept(request);
    arrivals[0]!.accept(request);
    arrivals[0]!.reject("no_line");
    await settle();
    expect(workers.last().told.slice(2)).toMatchObject([
      { type: "accept", order: { callId: "in", brief: { direction: "inbound" } } },
    ]);
    workers.last().say({ type: "answered", callId: "in" });
    expect(log.of("in")).toEqual(["answered"]);
  });

  test.each([
    ["unknown_number", 404],
    ["no_line", 486],
  ] as const)("is rejected as %s with %i, and nothing more is told of it", (why, sipCode) => {
    arrivals[0]!.reject(why);
    expect(workers.last().told.at(-1)).toEqual({ type: "reject", callId: "in", sipCode });
    workers
      .last()
      .say({ type: "ended", callId: "in", end: { kind: "failed", code: "rejected", message: "Rejected." } });
    expect(log.count()).toBe(0);
  });

  test("and gives up is told as ended, and can be taken no more", async () => {
    workers
      .last()
      .say({ type: "ended", callId: "in", end: { kind: "failed", code: "no_answer", message: "Gave up." } });
    arrivals[0]!.accept(request);
    await settle();
    expect(log.of("in")).toEqual(["ended"]);
    expect(workers.last().toldTypes()).not.toContain("accept");
  });
});

test("the ladder of a call under way can be read, is bounded, and goes into its end", async () => {
  start();
  run();
  await dial({ callId: "a" });
  expect(carrier.traceOf("a")).toEqual([]);
  for (let i = 0; i < 310; i++) workers.last().say({ type: "trace", callId: "a", message: messageAt(i) });
  expect(carrier.traceOf("a")).toHaveLength(300);
  workers.last().say({ type: "ended", callId: "a", end: { kind: "failed", code: "busy", message: "Busy." } });
  expect(log.endOf("a").line?.trace).toHaveLength(300);
  expect(carrier.traceOf("a")).toBeNull();
});

test("a call without a trunk, or without a worker, fails a moment later and is never dialled", async () => {
  start();
  await dial({ callId: "early" });
  run();
  await dial({ callId: "lost", trunkId: null });
  expect(log.count()).toBe(0);
  await clock.advance(0);
  expect(log.endOf("early")).toMatchObject({ code: "infrastructure_error" });
  expect(log.endOf("lost")).toMatchObject({ code: "infrastructure_error" });
  expect(workers.last().toldTypes()).not.toContain("dial");
});

test("what the worker logs is logged at its level", () => {
  start();
  run();
  workers.last().say({ type: "log", level: "warn", message: "a trunk is not available", fields: { trunk: "main" } });
  expect(logLines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: "warn", message: "a trunk is not available", trunk: "main" }),
  );
});

test("it has as many lines as there are pairs of audio ports", () => {
  start({ settings: workerSettings({ rtpPorts: { from: 10_000, to: 10_019 } }) });
  expect(carrier.lines).toBe(10);
});
