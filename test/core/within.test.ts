import { expect, test } from "bun:test";
import { messageOf } from "../../src/core/errors.ts";
import { inTime, within } from "../../src/core/within.ts";
import { createManualClock } from "../support/manual-clock.ts";

const late = () => new Error("too late");
const nothing = () => new Promise<string>(() => {});

/** A clock that tells how many of its timers still wait. */
function countingClock() {
  const clock = createManualClock();
  const waiting = new Set<() => void>();
  return {
    ...clock,
    after(delayMs: number, callback: () => void) {
      const cancel = clock.after(delayMs, () => {
        waiting.delete(forget);
        callback();
      });
      const forget = (): void => {
        waiting.delete(forget);
        cancel();
      };
      waiting.add(forget);
      return forget;
    },
    waiting,
  };
}

test("work that ends in time gives what it came to, and its timer is taken back", async () => {
  const clock = countingClock();
  expect(await inTime(clock, 1_000, Promise.resolve("done"), late)).toBe("done");
  expect(await within(clock, 1_000, () => Promise.resolve("done"), null)).toBe("done");
  expect(clock.waiting.size).toBe(0);
});

test("work that fails in time fails with its own fault, or gives what stands in for it", async () => {
  const clock = countingClock();
  const failed = () => Promise.reject(new Error("its own"));
  await expect(inTime(clock, 1_000, failed(), late)).rejects.toThrow("its own");
  expect(await within(clock, 1_000, failed, "instead")).toBe("instead");
  expect(
    await within(
      clock,
      1_000,
      () => {
        throw new Error("before any promise");
      },
      "instead",
    ),
  ).toBe("instead");
  expect(clock.waiting.size).toBe(0);
});

test("work that does not end is waited for until its time is over and no longer", async () => {
  const clock = createManualClock();
  const outcomes: string[] = [];
  void inTime(clock, 1_000, nothing(), late).catch((fault: unknown) => outcomes.push(messageOf(fault)));
  void within(clock, 1_000, nothing, "instead").then((value) => outcomes.push(value));
  await clock.advance(999);
  expect(outcomes).toEqual([]);
  await clock.advance(1);
  expect(outcomes.toSorted()).toEqual(["instead", "too late"]);
});

test("work that fails after its timeout is ignored", async () => {
  const clock = createManualClock();
  const work = Promise.withResolvers<string>();
  const waited = within(clock, 1_000, () => work.promise, "instead");
  const strict = inTime(clock, 1_000, work.promise, late).catch(messageOf);
  await clock.advance(1_000);
  work.reject(new Error("much later"));
  expect(await waited).toBe("instead");
  expect(await strict).toBe("too late");
});
