// Speech as seen from the main thread: supervision and connection of clients. No audio passes through it.
import { describe, expect, test } from "bun:test";
import { createLogger } from "../../../src/core/logger.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "../../../src/speech/tts/protocol.ts";
import { createSpeech } from "../../../src/speech/tts/speech.ts";
import { createManualClock } from "../../support/manual-clock.ts";

function setStage() {
  const clock = createManualClock();
  const workers: {
    told: ToSpeechWorker[];
    transferred: Transferable[];
    say: (message: FromSpeechWorker) => void;
    die: (reason: string) => void;
    isTerminated: boolean;
  }[] = [];
  const speech = createSpeech({
    clock,
    logger: createLogger(clock, "debug", () => {}),
    startWorker() {
      const worker: (typeof workers)[number] = {
        told: [],
        transferred: [],
        say: () => {},
        die: () => {},
        isTerminated: false,
      };
      workers.push(worker);
      return {
        post(message, transfer = []) {
          worker.told.push(message);
          worker.transferred.push(...transfer);
        },
        onMessage: (listener) => void (worker.say = listener),
        onEnd: (listener) => void (worker.die = listener),
        terminate: () => void (worker.isTerminated = true),
      };
    },
  });
  const last = () => workers.at(-1)!;
  const types = (worker = last()) => worker.told.map(({ type }) => type);
  return { clock, speech, workers, last, types, ready: () => last().say({ type: "ready" }) };
}

/** A client that counts its ports. */
function createClient() {
  const ways: MessagePort[] = [];
  return { ways, give: (port: MessagePort) => void ways.push(port) };
}

test("a client gets its port when the worker is ready", () => {
  const { speech, ready, types, last } = setStage();
  const [early, late] = [createClient(), createClient()];
  speech.serve(early.give);
  expect(early.ways).toEqual([]);
  expect(types()).toEqual(["start"]);
  ready();
  speech.serve(late.give);
  expect([early.ways.length, late.ways.length]).toEqual([1, 1]);
  expect(types()).toEqual(["start", "client", "client"]);
  expect(last().told.slice(1)).toEqual(last().transferred.map((port) => ({ type: "client", port })) as never);
});

test("both ends of a port are connected", async () => {
  const { speech, ready, last } = setStage();
  const client = createClient();
  speech.serve(client.give);
  ready();
  const [theirs] = last().transferred as MessagePort[];
  const arrived = new Promise((resolve) => {
    client.ways[0]!.addEventListener("message", ({ data }) => resolve(data));
    client.ways[0]!.start();
  });
  theirs!.postMessage("sound", []);
  expect(await arrived).toBe("sound");
  theirs!.close();
});

test("after a crash every remaining client gets a port to the next worker", async () => {
  const { clock, speech, workers, last, types, ready } = setStage();
  const [stays, goes] = [createClient(), createClient()];
  speech.serve(stays.give);
  const leave = speech.serve(goes.give);
  ready();
  leave();
  last().die("it threw");
  await clock.advance(1_000);
  expect(workers).toHaveLength(2);
  expect(stays.ways).toHaveLength(1);
  ready();
  expect([stays.ways.length, goes.ways.length]).toEqual([2, 1]);
  expect(types()).toEqual(["start", "client"]);
});

test("a worker that is stuck is ended, and the next one serves", async () => {
  const { clock, speech, workers, ready } = setStage();
  const client = createClient();
  speech.serve(client.give);
  ready();
  await clock.advance(13_000);
  expect(workers[0]!.isTerminated).toBe(true);
  ready();
  expect(client.ways).toHaveLength(2);
});

test("once stopped, there is no worker any more", async () => {
  const { clock, speech, workers, last, types, ready } = setStage();
  ready();
  const stopped = speech.stop();
  expect(types()).toEqual(["start", "stop"]);
  last().say({ type: "stopped" });
  await stopped;
  expect(last().isTerminated).toBe(true);
  const late = createClient();
  speech.serve(late.give);
  await clock.advance(60_000);
  expect(workers).toHaveLength(1);
});

describe("while the first worker loads", () => {
  test("no call is placed until it is ready", () => {
    const { speech, ready } = setStage();
    expect(speech.isLoading()).toBe(true);
    ready();
    expect(speech.isLoading()).toBe(false);
  });

  test("or until the loading timeout: recordings and keys work without it", async () => {
    const failed = setStage();
    failed.last().die("it threw");
    expect(failed.speech.isLoading()).toBe(false);
    const slow = setStage();
    for (let i = 0; i < 30; i++) {
      expect(slow.speech.isLoading()).toBe(true);
      slow.last().say({ type: "beat" });
      await slow.clock.advance(1_000);
    }
    expect(slow.speech.isLoading()).toBe(false);
  });

  test("a worker that never loaded is mute; one that was ready before is not", async () => {
    const { clock, speech, last, ready } = setStage();
    expect(speech.isMute()).toBe(false);
    last().say({ type: "cannotStart", message: "no room" });
    expect(speech.isMute()).toBe(true);
    await clock.advance(30_000);
    ready();
    expect(speech.isMute()).toBe(false);
    last().die("it threw");
    expect(speech.isMute()).toBe(false);
  });

  test("a replacement that loads blocks no calls", async () => {
    const { clock, speech, last, ready } = setStage();
    ready();
    last().die("it threw");
    await clock.advance(1_000);
    expect(speech.isLoading()).toBe(false);
  });
});
