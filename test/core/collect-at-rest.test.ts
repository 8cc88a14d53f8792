// Memory is given back when there is nothing to do, and only then.
import { expect, test } from "bun:test";
import { collectAtRest } from "../../src/core/collect-at-rest.ts";
import { createManualClock } from "../support/manual-clock.ts";

const MB = 2 ** 20;

/** A thread with a heap that the test sets, and that a collection brings down to 20 MB. */
function thread() {
  const clock = createManualClock();
  const state = { heapBytes: 20 * MB, workedMs: 0, isFree: true, collections: 0 };
  const stop = collectAtRest({
    clock,
    isFree: () => state.isFree,
    footprint: {
      heapBytes: () => state.heapBytes,
      workedMs: () => state.workedMs,
      collect() {
        state.collections += 1;
        state.heapBytes = 20 * MB;
      },
    },
  });
  /** A second in which the process worked for so long. */
  const second = async (workedMs: number) => {
    state.workedMs += workedMs;
    await clock.advance(1_000);
  };
  return { state, second, stop };
}

test("what a busy time left is collected in the first quiet second, once", async () => {
  const { state, second } = thread();
  state.heapBytes = 40 * MB;
  await second(700);
  expect(state.collections).toBe(0);
  await second(20);
  expect(state.collections).toBe(1);
  await second(20);
  expect(state.collections).toBe(1);
});

test("little is not worth it", async () => {
  const { state, second } = thread();
  state.heapBytes = 23 * MB;
  await second(0);
  expect(state.collections).toBe(0);
});

test("a thread that must not be held up is left alone until it may be", async () => {
  const { state, second } = thread();
  state.heapBytes = 40 * MB;
  state.isFree = false;
  await second(0);
  expect(state.collections).toBe(0);
  state.isFree = true;
  await second(0);
  expect(state.collections).toBe(1);
});

test("what the runtime collected by itself is where it counts from", async () => {
  const { state, second } = thread();
  state.heapBytes = 12 * MB;
  await second(900);
  state.heapBytes = 18 * MB;
  await second(0);
  expect(state.collections).toBe(1);
});

test("it ends when it is told to", async () => {
  const { state, second, stop } = thread();
  state.heapBytes = 40 * MB;
  stop();
  await second(0);
  expect(state.collections).toBe(0);
});
