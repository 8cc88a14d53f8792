// Recognition as seen from the main thread: supervision and capacity.
import { expect, test } from "bun:test";
import { createLogger } from "../../src/core/logger.ts";
import { createHearing, recogniserCount, type HearingPort } from "../../src/speech/hearing.ts";
import { spotterCount } from "../../src/speech/spotter/spotter-threads.ts";
import type { FromSpeechWorker, SpeechRole } from "../../src/speech/tts/protocol.ts";
import { createManualClock } from "../support/manual-clock.ts";

interface FakeWorker {
  role: SpeechRole;
  say: (message: FromSpeechWorker) => void;
  die: (reason: string) => void;
}

interface StageOptions {
  recognisers?: number;
  reason?: string | null;
  isStarted?: boolean;
  spotters?: number | string;
}

function setStage({ recognisers = 1, reason = null, isStarted = true, spotters = 0 }: StageOptions = {}) {
  const clock = createManualClock();
  const lines: string[] = [];
  let listened = 0;
  const workers: FakeWorker[] = [];
  const hearing = createHearing({
    clock,
    logger: createLogger(clock, "debug", (line) => void lines.push(line)),
    recognisers,
    cores: 64,
    spotters,
    reason,
    listens: () => void listened++,
    startWorker(role) {
      const worker: FakeWorker = { role, say: () => {}, die: () => {} };
      workers.push(worker);
      return {
        post() {},
        onMessage: (listener) => void (worker.say = listener),
        onEnd: (listener) => void (worker.die = listener),
        terminate() {},
      };
    },
  });
  if (isStarted) hearing.start();
  const last = (role: SpeechRole) => workers.findLast((worker) => worker.role === role)!;
  function start(utteranceMs = 250): void {
    last("ear").say({ type: "ready" });
    for (const worker of workers.filter(({ role }) => role === "recogniser")) {
      worker.say({ type: "measured", whose: "recogniser", tookMs: utteranceMs });
      worker.say({ type: "ready" });
    }
  }
  return { clock, hearing, workers, last, start, log: () => lines.join("\n"), listened: () => listened };
}

test("no thread loads before start, and the state is starting", async () => {
  const { clock, hearing, workers } = setStage({ isStarted: false });
  await clock.advance(60_000);
  expect(workers).toEqual([]);
  expect(hearing.status().state).toBe("starting");
  hearing.start();
  hearing.start();
  expect(workers.map(({ role }) => role)).toEqual(["ear", "recogniser"]);
});

test("no call is dialled before recognition is ready, for at most 20 seconds", async () => {
  const { clock, hearing } = setStage();
  expect(hearing.status()).toMatchObject({ state: "starting", reason: null });
  expect(hearing.hasRoomBeside(0)).toBe(false);
  for (let second = 0; second < 10; second++) await clock.advance(2_000);
  expect(hearing.status().state).toBe("keypad");
  expect(hearing.hasRoomBeside(500)).toBe(true);
});

test("calls beyond what the recogniser can hear in time are not dialled", () => {
  const { hearing, start, log, listened } = setStage();
  expect(listened()).toBe(0);
  start();
  hearing.heardVoice({ type: "measured", whose: "voice", tookMs: 50 });
  expect(hearing.status()).toEqual({
    state: "listening",
    reason: null,
    recognisers: 1,
    utteranceMs: 250,
    voiceMs: 50,
    talkingCalls: 0,
    mostTalkingCalls: 20,
    spotters: 0,
    alarmsByTextAlone: null,
  });
  expect([hearing.hasRoomBeside(19), hearing.hasRoomBeside(20)]).toEqual([true, false]);
  // Waiting calls are dialled now.
  expect(listened()).toBe(1);
  expect(log()).toContain("speech recognition started");
});

test("after a crash calls use the keypad until the thread is back", async () => {
  for (const role of ["ear", "recogniser"] as const) {
    const { clock, hearing, last, start } = setStage();
    start();
    last(role).die("it exited");
    expect(hearing.status()).toMatchObject({ state: "keypad", reason: expect.stringContaining("started again") });
    expect(hearing.hasRoomBeside(100)).toBe(true);
    await clock.advance(1_000);
    last(role).say({ type: "ready" });
    expect(hearing.status().state).toBe("listening");
  }
});

test("one of two recognisers can serve half of the calls", () => {
  const { hearing, start, last } = setStage({ recognisers: 2 });
  start();
  expect(hearing.status()).toMatchObject({ recognisers: 2, mostTalkingCalls: 40 });
  last("recogniser").die("it exited");
  expect(hearing.status()).toMatchObject({ state: "listening", recognisers: 1, mostTalkingCalls: 20 });
});

test("a machine that is too slow or fails to load uses the keypad, with a reason", () => {
  const slow = setStage();
  slow.start(3_000);
  expect(slow.hearing.status()).toMatchObject({ state: "keypad", reason: expect.stringContaining("3000 ms") });
  expect(slow.hearing.hasRoomBeside(100)).toBe(true);
  const unable = setStage();
  unable.last("ear").say({ type: "cannotStart", message: "GLIBC_2.28 not found" });
  expect(unable.hearing.status()).toMatchObject({ state: "keypad", reason: "GLIBC_2.28 not found" });
});

test("on unsupported platforms no thread starts, and the log gives the reason", () => {
  const { hearing, workers, log } = setStage({ reason: "There is no ONNX Runtime for linux-x64-musl." });
  expect(workers).toEqual([]);
  expect(hearing.status()).toMatchObject({ state: "keypad", reason: "There is no ONNX Runtime for linux-x64-musl." });
  expect(hearing.hasRoomBeside(100)).toBe(true);
  expect(log()).toContain("There is no ONNX Runtime");
});

test("a line worker gets ports to the detector and each recogniser, and to replacements", async () => {
  const { clock, hearing, start, last } = setStage({ recognisers: 2 });
  const given: HearingPort[] = [];
  const end = hearing.serve((way) => void given.push(way));
  start();
  const kinds = () => given.map((way) => (way.type === "ear" ? "ear" : way.index));
  expect(kinds()).toEqual(["ear", 0, 1]);
  last("recogniser").die("it exited");
  await clock.advance(1_000);
  last("recogniser").say({ type: "ready" });
  expect(kinds()).toEqual(["ear", 0, 1, 1]);
  end();
  last("ear").die("it exited");
  await clock.advance(1_000);
  last("ear").say({ type: "ready" });
  expect(kinds()).toEqual(["ear", 0, 1, 1]);
});

test("as many recognisers as there are cores to spare, or as the settings say", () => {
  expect([1, 2, 4, 64].map((cores) => recogniserCount("auto", cores))).toEqual([1, 1, 3, 8]);
  expect(recogniserCount(12, 4)).toBe(12);
});

test("there is a phrase spotter for every three recognisers, at most three, or as many as are asked for", () => {
  expect([1, 3, 4, 7, 8].map((recognisers) => spotterCount("auto", recognisers))).toEqual([1, 1, 2, 3, 3]);
  expect(spotterCount(0, 8)).toBe(0);
  expect(spotterCount(5, 1)).toBe(5);
});

test("calls do not wait for a spotter; a running one takes its share of capacity", () => {
  const { hearing, start, last } = setStage({ spotters: 1 });
  start();
  expect(hearing.status()).toMatchObject({ state: "listening", mostTalkingCalls: 20, spotters: 0 });
  expect(hearing.status().alarmsByTextAlone).toBeNull();
  last("spotter").say({ type: "measured", whose: "spotter", tookMs: 2_000 });
  last("spotter").say({ type: "ready" });
  expect(hearing.status()).toMatchObject({ mostTalkingCalls: 2, spotters: 1, alarmsByTextAlone: null });
});

test("calls work without a spotter, and its absence is reported", async () => {
  const { clock, hearing, start, last, log } = setStage({ spotters: 1 });
  start();
  last("spotter").say({ type: "ready" });
  last("spotter").die("RangeError at spot");
  expect(hearing.status()).toMatchObject({
    state: "listening",
    spotters: 0,
    alarmsByTextAlone: expect.stringContaining("started again"),
  });
  expect(log()).toContain("The phrase spotter 1");
  await clock.advance(1_000);
  last("spotter").say({ type: "cannotStart", message: "Out of memory" });
  expect(hearing.status()).toMatchObject({ state: "listening", alarmsByTextAlone: "Out of memory" });

  const slim = setStage({ spotters: "This build comes without the phrase spotter." });
  slim.start();
  expect(slim.workers.map(({ role }) => role)).toEqual(["ear", "recogniser"]);
  expect(slim.hearing.status()).toMatchObject({
    state: "listening",
    alarmsByTextAlone: expect.stringContaining("without"),
  });
  expect(slim.log()).toContain("This build comes without the phrase spotter.");
});

test("a slow start of a spotter is reported", async () => {
  const { clock, hearing, start, last } = setStage({ spotters: 1 });
  start();
  for (let second = 0; second < 16; second++) {
    await clock.advance(2_000);
    last("spotter").say({ type: "beat" });
  }
  expect(hearing.status().alarmsByTextAlone).toContain("takes long");
});
