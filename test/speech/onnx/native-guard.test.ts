// A thread inside native code is not terminated there. Steps of both sides in every relevant order.
import { describe, expect, test } from "bun:test";
import { createManualClock } from "../../support/manual-clock.ts";
import {
  beatWhileInside,
  createGuard,
  createGuardState,
  mayEndNow,
  unguarded,
} from "../../../src/speech/onnx/native-guard.ts";

function setStage() {
  const state = createGuardState();
  let timesOut = 0;
  const guard = createGuard(state, () => timesOut++);
  return { state, guard, timesOut: () => timesOut };
}

describe("a thread that is to be ended", () => {
  test("may be ended at once while it is outside, and enters no more", () => {
    const { state, guard, timesOut } = setStage();
    expect(guard(() => "inside")).toBe("inside");
    expect(mayEndNow(state)).toBe(true);
    expect(() => guard(() => "inside")).toThrow("being terminated");
    expect(timesOut()).toBe(0);
  });

  test("finishes what it does inside, says so once, and enters no more", () => {
    const { state, guard, timesOut } = setStage();
    const result = guard(() => {
      expect(mayEndNow(state)).toBe(false);
      // Requested again, as by an impatient supervisor.
      expect(mayEndNow(state)).toBe(false);
      return "done";
    });
    expect(result).toBe("done");
    expect(timesOut()).toBe(1);
    expect(() => guard(() => "inside")).toThrow("being terminated");
    expect(mayEndNow(state)).toBe(true);
  });

  test("says so too where the work inside failed", () => {
    const { state, guard, timesOut } = setStage();
    expect(() =>
      guard(() => {
        mayEndNow(state);
        throw new Error("broken network");
      }),
    ).toThrow("broken network");
    expect(timesOut()).toBe(1);
  });
});

test("a thread that nobody wants to end goes in and out as it likes", () => {
  const { guard, timesOut } = setStage();
  expect([1, 2, 3].map((value) => guard(() => value))).toEqual([1, 2, 3]);
  expect(unguarded(() => 4)).toBe(4);
  expect(timesOut()).toBe(0);
});

describe("while a thread is inside it cannot beat, and", () => {
  test("nobody beats for one that is outside", async () => {
    const { state } = setStage();
    const clock = createManualClock();
    let beats = 0;
    const stop = beatWhileInside(state, clock, () => beats++);
    await clock.advance(60_000);
    expect(beats).toBe(0);
    stop();
  });

  test("somebody beats for it, though for no visit longer than two minutes", async () => {
    const state = createGuardState();
    const shared = new Int32Array(state);
    const clock = createManualClock();
    let beats = 0;
    const stop = beatWhileInside(state, clock, () => beats++);
    const enter = () => [Atomics.store(shared, 0, 1), Atomics.add(shared, 1, 1)];
    enter();
    await clock.advance(60_000);
    expect(beats).toBe(30);
    await clock.advance(600_000);
    expect(beats).toBeLessThan(62);
    const before = beats;
    enter();
    await clock.advance(10_000);
    expect(beats).toBeGreaterThan(before);
    stop();
    await clock.advance(10_000);
    expect(beats).toBeLessThan(before + 7);
  });
});
