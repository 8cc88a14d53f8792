// Recogniser pool: one utterance at a time each, timeouts, and restarts.
import { expect, test } from "bun:test";
import type { RecogniseAnswer, RecogniseRequest } from "../../../src/speech/asr/protocol.ts";
import { createRecognisers } from "../../../src/speech/asr/recognisers.ts";
import { createManualClock } from "../../support/manual-clock.ts";

/** Our end of a port to a recogniser that the test plays. */
function createWay() {
  const asked: RecogniseRequest[] = [];
  let hear = (_event: { data: RecogniseAnswer }): void => {};
  const port = {
    addEventListener: (_type: "message", listener: typeof hear) => void (hear = listener),
    start() {},
    postMessage: (request: RecogniseRequest) => void asked.push(structuredClone(request)),
    close() {},
  };
  return {
    port: port as unknown as MessagePort,
    lengths: () => asked.map(({ samples }) => samples.length),
    answer: (text: string) => hear({ data: { id: asked.at(-1)!.id, text, confidence: 0.9 } }),
    fail: () => hear({ data: { id: asked.at(-1)!.id, error: "out of memory" } }),
  };
}

function setStage(ways = 1) {
  const clock = createManualClock();
  const recognisers = createRecognisers({ clock });
  const made = Array.from({ length: ways }, createWay);
  for (const [index, way] of made.entries()) recognisers.connect(index, way.port);
  const recognise = (ear: number, length: number) => recognisers.recognise(ear, new Int16Array(length));
  return { clock, recognisers, ways: made, way: made[0]!, recognise };
}

test("each works on one utterance at a time, and takes the one that has waited longest next", async () => {
  const { ways, recognise } = setStage(2);
  const results = [recognise(1, 10), recognise(2, 20), recognise(3, 30), recognise(4, 40)];
  expect(ways.map((way) => way.lengths())).toEqual([[10], [20]]);
  ways[1]!.answer("two");
  expect(ways.map((way) => way.lengths())).toEqual([[10], [20, 30]]);
  ways[0]!.answer("one");
  ways[0]!.answer("four");
  ways[1]!.answer("three");
  const texts = (await Promise.all(results)).map((result) => result?.text);
  expect(texts).toEqual(["one", "two", "three", "four"]);
});

test("failures and timeouts give null", async () => {
  const { clock, way, recognise } = setStage();
  const failed = recognise(1, 10);
  way.fail();
  expect(await failed).toBeNull();
  const slow = [recognise(1, 20), recognise(2, 30)];
  await clock.advance(4_000);
  expect(await Promise.all(slow)).toEqual([null, null]);
  // The waiting request is not started, and a late answer is ignored.
  way.answer("late");
  expect(way.lengths()).toEqual([10, 20]);
  const next = recognise(3, 40);
  way.answer("on time");
  expect(await next).toEqual({ text: "on time", confidence: 0.9 });
});

test("a newer request of a call replaces its waiting one", async () => {
  const { way, recognise } = setStage();
  const busy = recognise(1, 10);
  const [older, newer] = [recognise(2, 20), recognise(2, 30)];
  expect(await older).toBeNull();
  way.answer("busy");
  way.answer("newer");
  expect([await busy, await newer].map((result) => result?.text)).toEqual(["busy", "newer"]);
  expect(way.lengths()).toEqual([10, 30]);
});

test("requests of a crashed recogniser are repeated, unless they were cancelled", async () => {
  const { clock, recognisers, way, recognise } = setStage();
  const result = recognise(1, 10);
  const second = createWay();
  recognisers.connect(0, second.port);
  expect(second.lengths()).toEqual([10]);
  second.answer("again");
  expect((await result)?.text).toBe("again");

  const given = recognise(1, 20);
  await clock.advance(4_000);
  expect(await given).toBeNull();
  const third = createWay();
  recognisers.connect(0, third.port);
  expect(third.lengths()).toEqual([]);
  expect(way.lengths()).toEqual([10]);
});

test("without a recogniser, or with a full queue, the answer is immediate", async () => {
  const { recognise } = setStage(0);
  expect(await recognise(1, 10)).toBeNull();
  const crowded = setStage();
  for (let ear = 1; ear <= 65; ear++) void crowded.recognise(ear, 10);
  expect(await crowded.recognise(99, 10)).toBeNull();
});
