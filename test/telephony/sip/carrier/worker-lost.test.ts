// Calls, trunks and status when the line worker is silent, dies, cannot start or does not stop. Supervision and
// restarts: test/core/worker-supervisor.test.ts.
import { beforeEach, expect, test } from "bun:test";
import { settle } from "../../../support/manual-clock.ts";
import { beat, messageAt, trunkState } from "./fake-worker.ts";
import { MainSide } from "./main-side.ts";

let main: MainSide;
beforeEach(() => {
  main = new MainSide();
});

test("a silent worker is taken for dead after ten seconds; its calls end with their ladder, and a new one starts", async () => {
  main.start();
  main.run();
  await main.dial({ callId: "a" });
  main.workers.last().say({ type: "trace", callId: "a", message: messageAt(5) });
  main.workers.last().say({ type: "answered", callId: "a" });
  await main.clock.advance(9_000);
  main.workers.last().say(beat());
  await main.clock.advance(9_000);
  expect(main.log.has("a", "ended")).toBe(false);
  await main.clock.advance(2_500);
  expect(main.workers.all[0]!.isTerminated).toBe(true);
  const end = main.log.endOf("a");
  expect(end).toMatchObject({ kind: "failed", code: "interrupted", durationSeconds: 20 });
  expect(end.line).toEqual({ trunkId: "main", trace: [messageAt(5)], media: null, captured: false });
  expect(main.carrier.trunkLines("main").kind).toBe("closed");
  await main.clock.advance(1_000);
  expect(main.workers.all).toHaveLength(2);
  expect(main.workers.last().told).toMatchObject([{ type: "start", trunks: [{ id: "main" }] }]);
});

test("a worker that cannot start says why in the status, and is tried again every 30 seconds", async () => {
  main.start();
  main.workers.last().say({ type: "cannotStart", message: "Port 5060 is taken." });
  expect(main.carrier.status()).toMatchObject({ worker: "failed", message: "Port 5060 is taken.", port: null });
  expect(main.carrier.trunkStates()).toMatchObject([
    { id: "main", state: "unknown", lastError: "Port 5060 is taken." },
  ]);
  await main.clock.advance(29_000);
  expect(main.workers.all).toHaveLength(1);
  await main.clock.advance(1_000);
  main.run();
  expect(main.carrier.status()).toMatchObject({ worker: "running", message: null, port: 5060, restarts: 1 });
  expect(main.carrier.status()).toMatchObject({
    lagP99Ms: 1,
    droppedStrangers: 7,
    droppedMalformed: 2,
    refusedBusy: 3,
  });
});

test("nothing that an old worker still says is heard, and no call is dialled again", async () => {
  main.start();
  main.run();
  await main.dial({ callId: "a" });
  main.workers.last().die();
  await main.clock.advance(1_000);
  main.run();
  main.workers.all[0]!.say({ type: "answered", callId: "a" });
  await main.dial({ callId: "a" });
  expect(main.log.of("a")).toEqual(["ended"]);
  expect(main.workers.last().toldTypes()).toEqual(["start"]);
});

test("the dead worker's trunks are told as unknown", () => {
  const told: string[] = [];
  main.start({ trunkStateChanged: ({ id, state }) => void told.push(`${id} ${state}`) });
  main.run();
  main.workers.last().say({ type: "trunkState", state: trunkState() });
  main.workers.last().die();
  expect(told).toEqual(["main up", "main unknown"]);
});

test("a worker that does not stop in time is ended, and its calls are told as interrupted", async () => {
  main.start({ drainMs: 3_000 });
  main.run();
  await main.dial({ callId: "a" });
  const stopped = main.carrier.stop();
  await settle();
  expect(main.workers.last().told.at(-1)).toEqual({ type: "stop", drainMs: 3_000 });
  await main.clock.advance(8_000);
  await stopped;
  expect(main.workers.last().isTerminated).toBe(true);
  expect(main.log.endOf("a")).toMatchObject({ kind: "failed", code: "interrupted" });
  await main.clock.advance(60_000);
  expect(main.workers.all).toHaveLength(1);
});
