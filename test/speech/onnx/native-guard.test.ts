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

describe("a thread to be terminated", () => {
  test("may be terminated at once while outside, and cannot enter any more", () => {
    const { state, guard, timesOut } = setStage();
    expect(guard(() => "inside")).toBe("inside");
    expect(mayEndNow(state)).toBe(true);
    expect(() => guard(() => "inside")).toThrow("being terminated");
    expect(timesOut()).toBe(0);
  });

  test("finishes its work inside, reports it once, and cannot enter any more", () => {
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

  test("reports it also if the work failed", () => {
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

test("a thread without a termination request enters and leaves freely", () => {
  const { guard, timesOut } = setStage();
  expect([1, 2, 3].map((value) => guard(() => value))).toEqual([1, 2, 3]);
  expect(unguarded(() => 4)).toBe(4);
  expect(timesOut()).toBe(0);
});

describe("heartbeats for a thread in native code", () => {
  test("are not sent while it is outside", async () => {
    const { state } = setStage();
    const clock = createManualClock();
    let beats = 0;
    const stop = beatWhileInside(state, clock, () => beats++);
    await clock.advance(60_000);
    expect(beats).toBe(0);
    stop();
  });

  test("are sent for at most two minutes per visit", async () => {
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
