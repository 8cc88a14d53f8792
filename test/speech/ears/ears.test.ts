// Ears of a thread: batched frames, routing of results, and failures of the detector.
import { describe, expect, test } from "bun:test";
import { createEars } from "../../../src/speech/ears/ears.ts";
import type { FromEarWorker, ToEarWorker } from "../../../src/speech/ears/protocol.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import type { Spotted } from "../../../src/speech/spotter/protocol.ts";

function createWay() {
  const told: ToEarWorker[] = [];
  let hear = (_event: { data: FromEarWorker }): void => {};
  const port = {
    addEventListener: (_type: "message", listener: typeof hear) => void (hear = listener),
    start() {},
    postMessage: (message: ToEarWorker) => void told.push(structuredClone(message)),
    close() {},
  };
  const answer = (ears: number[], probabilities: number[]) =>
    hear({ data: { ears, probabilities: Float32Array.from(probabilities) } });
  return { port: port as unknown as MessagePort, told, answer };
}

function setStage() {
  const clock = createManualClock();
  const asked: { ear: number; length: number }[] = [];
  const spotted: { length: number; answer: (spotted: Spotted) => void }[] = [];
  let answerWords = (): void => {};
  let words: { text: string; confidence: number } | null = { text: "yes", confidence: 1 };
  let isQuick = true;
  const client = createEars({
    clock,
    recognisers: {
      connect() {},
      async recognise(ear, samples) {
        asked.push({ ear, length: samples.length });
        if (!isQuick) await new Promise<void>((resolve) => (answerWords = resolve));
        return words;
      },
    },
    spotters: {
      connect() {},
      spot: (_, samples) => new Promise((resolve) => void spotted.push({ length: samples.length, answer: resolve })),
    },
  });
  const way = createWay();
  const open = () => {
    const voices: [number, number][] = [];
    const alarms: (readonly string[])[] = [];
    const unsure: (readonly string[])[] = [];
    let lost = 0;
    const ear = client.ears()!.open({
      voice: (probability, atMs) => void voices.push([Number(probability.toFixed(2)), atMs]),
      alarm: (phrases, isSure) => void (isSure ? alarms : unsure).push(phrases),
      lost: () => void lost++,
    });
    return { ear, voices, alarms, unsure, lost: () => lost };
  };
  return {
    clock,
    client,
    way,
    asked,
    spotted,
    open,
    willBeWords: (text: string | null) => void (words = text === null ? null : { text, confidence: 0.8 }),
    recogniserTakesItsTime: () => void (isQuick = false),
    answerWords: () => answerWords(),
  };
}

const frame = (value = 0) => new Int16Array(160).fill(value);

test("there are none before the detector is there", () => {
  const { client, way } = setStage();
  expect(client.ears()).toBeNull();
  client.connect(way.port);
  expect(client.ears()).not.toBeNull();
});

test("frames of all calls share a message, and each call gets its own results", async () => {
  const { clock, client, way, open } = setStage();
  client.connect(way.port);
  const [one, two] = [open(), open()];
  const heard = frame(5);
  one.ear.hear(heard);
  heard.fill(9);
  two.ear.hear(frame(6));
  await clock.advance(10);
  expect(way.told).toHaveLength(1);
  expect(way.told[0]!.ears).toEqual([1, 2]);
  // Copied: the line reuses its frame.
  expect([way.told[0]!.samples[0], way.told[0]!.samples[160]]).toEqual([5, 6]);
  way.answer([2, 1, 2], [0.9, 0.1, 0.8]);
  expect(one.voices).toEqual([[0.1, 32]]);
  expect(two.voices).toEqual([
    [0.9, 32],
    [0.8, 64],
  ]);
});

test("a detector that falls 1.5 seconds behind loses the call, once", async () => {
  const { clock, client, way, open } = setStage();
  client.connect(way.port);
  const call = open();
  for (let i = 0; i < 75; i++) call.ear.hear(frame());
  expect(call.lost()).toBe(0);
  for (let i = 0; i < 100; i++) call.ear.hear(frame());
  expect(call.lost()).toBe(1);
  await clock.advance(10);
  expect(way.told.at(-1)?.closed).toEqual([1]);
});

test("the calls of a detector that died are lost, and those that begin later are heard by the next", async () => {
  const { clock, client, way, open } = setStage();
  client.connect(way.port);
  const before = open();
  const next = createWay();
  client.connect(next.port);
  expect(before.lost()).toBe(1);
  const after = open();
  after.ear.hear(frame());
  await clock.advance(10);
  expect(next.told.at(-1)?.ears).toEqual([2]);
  expect(after.lost()).toBe(0);
});

test("an ended call is reported and gets no more results", async () => {
  const { clock, client, way, open } = setStage();
  client.connect(way.port);
  const call = open();
  call.ear.hear(frame());
  call.ear.close();
  call.ear.close();
  call.ear.hear(frame());
  await clock.advance(10);
  expect(way.told).toHaveLength(1);
  expect(way.told[0]).toMatchObject({ ears: [1], closed: [1] });
  way.answer([1], [0.9]);
  expect(call.voices).toEqual([]);
});

test("only speech is sent to the recogniser, and nothing without speech", async () => {
  const { client, way, asked, open } = setStage();
  client.connect(way.port);
  const call = open();
  for (let i = 0; i < 64; i++) call.ear.hear(frame());
  way.answer(Array<number>(40).fill(1), [
    ...Array<number>(10).fill(0),
    ...Array<number>(10).fill(0.9),
    ...Array<number>(20).fill(0),
  ]);
  expect(await call.ear.recognise(0, 1_280)).toEqual({ text: "yes", confidence: 1, alarms: [] });
  // 320 ms of voice and 100 ms on both sides.
  expect(asked).toEqual([{ ear: 1, length: 520 * 8 }]);
  expect(await call.ear.recognise(800, 1_280)).toEqual({ text: "", confidence: 0, alarms: [] });
  expect(asked).toHaveLength(1);
});

describe("alarms", () => {
  /** Speech starts at 320 ms. */
  function setCall(spokenMs = 640) {
    const stage = setStage();
    stage.client.connect(stage.way.port);
    const call = stage.open();
    /** Eight frames are as long as five windows. */
    const pass = (ms: number, probability: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += 160) {
        for (let i = 0; i < 8; i++) call.ear.hear(frame());
        for (let i = 0; i < 5; i++) stage.way.answer([1], [probability]);
      }
    };
    pass(320, 0);
    pass(spokenMs, 0.9);
    return { ...stage, ...call, pass };
  }

  test("found before the words come with them", async () => {
    const { ear, spotted, alarms, recogniserTakesItsTime, answerWords } = setCall();
    recogniserTakesItsTime();
    const heard = ear.recognise(0, 960);
    spotted[0]!.answer({ alarms: ["chest pain"], near: [] });
    await Promise.resolve();
    answerWords();
    expect(await heard).toEqual({ text: "yes", confidence: 1, alarms: ["chest pain"] });
    expect(alarms).toEqual([]);
  });

  test("found later are reported separately, and words do not wait", async () => {
    const { ear, spotted, alarms } = setCall();
    expect(await ear.recognise(0, 960)).toEqual({ text: "yes", confidence: 1, alarms: [] });
    // Reported even if the detector is lost meanwhile.
    ear.close();
    spotted[0]!.answer({ alarms: ["chest pain"], near: [] });
    await Promise.resolve();
    expect(alarms).toEqual([["chest pain"]]);
  });

  test("that are uncertain are reported as such, with the words or after them", async () => {
    const { ear, spotted, unsure, recogniserTakesItsTime, answerWords } = setCall();
    expect(await ear.recognise(0, 960)).toEqual({ text: "yes", confidence: 1, alarms: [] });
    spotted[0]!.answer({ alarms: [], near: ["pain"] });
    await Promise.resolve();
    expect(unsure).toEqual([["pain"]]);
    recogniserTakesItsTime();
    const heard = ear.recognise(0, 960);
    spotted[1]!.answer({ alarms: [], near: ["breathe"] });
    await Promise.resolve();
    answerWords();
    expect(await heard).toEqual({ text: "yes", confidence: 1, alarms: [], nearAlarms: ["breathe"] });
  });

  test("are reported even if recognition failed", async () => {
    const { ear, spotted, willBeWords, recogniserTakesItsTime, answerWords } = setCall();
    willBeWords(null);
    recogniserTakesItsTime();
    const heard = ear.recognise(0, 960);
    spotted[0]!.answer({ alarms: ["heart attack"], near: [] });
    await Promise.resolve();
    answerWords();
    expect(await heard).toEqual({ text: "", confidence: 0, alarms: ["heart attack"] });
  });

  test("denied by the words do not count", async () => {
    const { ear, spotted, alarms, willBeWords } = setCall();
    willBeWords("No, I don't have chest pain.");
    await ear.recognise(0, 960);
    spotted[0]!.answer({ alarms: ["chest pain", "short of breath"], near: [] });
    await Promise.resolve();
    expect(alarms).toEqual([["short of breath"]]);
  });

  test("are spotted once in continued speech, with an overlap at pauses", async () => {
    const { ear, spotted, pass } = setCall(3_200);
    await ear.recognise(0, 3_520);
    pass(1_600, 0.9);
    await ear.recognise(0, 5_120);
    // The second time 1,500 ms before the pause, the 1,600 after it, and a margin of 100.
    expect(spotted.map(({ length }) => Math.round(length / 800))).toEqual([33, 32]);
  });
});
