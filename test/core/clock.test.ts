import { expect, test } from "bun:test";
import { monotonicMs, stopwatch, systemClock, toIso, toIsoOrNull } from "../../src/core/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";

test("times are spoken in UTC with milliseconds and Z", () => {
  expect(toIso(Date.parse("2026-11-15T11:30:00.5+05:30"))).toBe("2026-11-15T06:00:00.500Z");
  expect(toIsoOrNull(null)).toBeNull();
  expect(toIsoOrNull(0)).toBe("1970-01-01T00:00:00.000Z");
});

test("the system clock calls back, and a cancelled callback never comes", async () => {
  const fired: string[] = [];
  const cancel = systemClock.after(0, () => fired.push("cancelled"));
  cancel();
  await new Promise<void>((done) => {
    systemClock.after(-5, () => {
      fired.push("negative");
      systemClock.after(1, done);
    });
  });
  expect(fired).toEqual(["negative"]);
});

test("a wait longer than a timer can hold does not fire at once", async () => {
  let fired = false;
  const cancel = systemClock.after(2 ** 31 + 5, () => (fired = true));
  await new Promise<void>((done) => void systemClock.after(5, done));
  cancel();
  expect(fired).toBeFalse();
});

test("a stopwatch never runs backwards", () => {
  const elapsedMs = stopwatch();
  const first = elapsedMs();
  expect(first).toBeGreaterThanOrEqual(0);
  expect(elapsedMs()).toBeGreaterThanOrEqual(first);
});

test("the tests' own clock fires timers at their time, in order, and timers survive a jump", async () => {
  const clock = createManualClock(0);
  const fired: [string, number][] = [];
  clock.after(20, () => fired.push(["b", clock.now()]));
  clock.after(10, () => clock.after(5, () => fired.push(["a", clock.now()])));
  await clock.advance(20);
  clock.after(10, () => fired.push(["c", clock.now()]));
  clock.jump(-1_000);
  await clock.advance(10);
  expect(fired).toEqual([
    ["a", 15],
    ["b", 20],
    ["c", -970],
  ]);
});

test("monotonic time has fractions of a millisecond and never runs backwards", () => {
  const times = Array.from({ length: 1_000 }, () => monotonicMs());
  expect(times.every((time, i) => i === 0 || time >= times[i - 1]!)).toBeTrue();
  expect(times.some((time) => !Number.isInteger(time))).toBeTrue();
});
