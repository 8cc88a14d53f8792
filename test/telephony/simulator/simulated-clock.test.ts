// Clock of one simulated call: faster than real time, in order, and stopped on request.
import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createSimulatedClock } from "../../../src/telephony/simulator/simulated-clock.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";

describe("a simulated clock", () => {
  let real: ManualClock;
  let fired: string[];
  beforeEach(() => {
    real = createManualClock();
    fired = [];
  });
  const timer = (name: string) => () => void fired.push(name);

  test("runs as many times faster as it was told, from the moment it was made", async () => {
    await real.advance(5_000);
    const clock = createSimulatedClock(real, 50);
    const begun = clock.now();
    expect([begun, clock.elapsedMs()]).toEqual([real.now(), 0]);
    clock.after(1_000, timer("due"));
    await real.advance(19);
    expect(fired).toEqual([]);
    await real.advance(1);
    expect(fired).toEqual(["due"]);
    expect([clock.now() - begun, clock.elapsedMs()]).toEqual([1_000, 1_000]);
  });

  test("stands still while it is paused, and takes up the rest of each wait afterwards", async () => {
    const clock = createSimulatedClock(real, 10);
    clock.after(1_000, timer("due"));
    await real.advance(60);
    clock.pause();
    await real.advance(3_600_000);
    expect([fired, clock.elapsedMs()]).toEqual([[], 600]);
    clock.resume();
    await real.advance(39);
    expect(fired).toEqual([]);
    await real.advance(1);
    expect([fired, clock.elapsedMs()]).toEqual([["due"], 1_000]);
  });

  test("goes on only when everybody who paused it has let it", async () => {
    const clock = createSimulatedClock(real, 1);
    clock.after(10, timer("due"));
    clock.pause();
    clock.pause();
    clock.resume();
    await real.advance(1_000);
    expect([fired, clock.elapsedMs()]).toEqual([[], 0]);
    clock.resume();
    await real.advance(10);
    expect(fired).toEqual(["due"]);
  });

  test("a timer that pauses it holds back those of the same moment", async () => {
    const clock = createSimulatedClock(real, 1);
    clock.after(10, () => {
      fired.push("first");
      clock.pause();
    });
    clock.after(10, timer("second"));
    await real.advance(1_000);
    expect(fired).toEqual(["first"]);
    clock.resume();
    await real.advance(0);
    expect(fired).toEqual(["first", "second"]);
  });

  test("a wait that began while it stood still is as long as any", async () => {
    const clock = createSimulatedClock(real, 2);
    clock.pause();
    clock.after(100, timer("due"));
    await real.advance(1_000);
    clock.resume();
    await real.advance(49);
    expect(fired).toEqual([]);
    await real.advance(1);
    expect(fired).toEqual(["due"]);
  });

  test("timers that come late on a busy machine do not stretch its time", async () => {
    const busy = { ...real, after: (ms: number, callback: () => void) => real.after(ms > 0 ? ms + 90 : 0, callback) };
    const clock = createSimulatedClock(busy, 100);
    const seen: number[] = [];
    const note = () => void seen.push(clock.elapsedMs());
    clock.after(3_000, () => {
      note();
      clock.after(1_000, note);
    });
    clock.after(3_000, note);
    const cancel = clock.after(2_000, note);
    await real.advance(60);
    expect(clock.elapsedMs()).toBe(2_000);
    cancel();
    expect(clock.elapsedMs()).toBe(2_000);
    await real.advance(60);
    expect(clock.elapsedMs()).toBe(3_000);
    await real.advance(1_000);
    expect(seen).toEqual([3_000, 3_000, 4_000]);
  });

  test("stands still while the agent works, however long the machine takes", async () => {
    let lateMs = 0;
    const slow = { ...real, elapsedMs: () => real.elapsedMs() + lateMs };
    const clock = createSimulatedClock(slow, 100);
    clock.after(1_000, () => {
      clock.after(3_000, timer("given up"));
      lateMs += 500;
      clock.after(2_000, timer("played"));
      expect(clock.elapsedMs()).toBe(1_000);
    });
    await real.advance(1_000);
    expect(fired).toEqual(["played", "given up"]);
  });

  test("a cancelled timer stays silent, also where another of the same moment cancels it", async () => {
    const clock = createSimulatedClock(real, 1);
    const cancel = clock.after(5, timer("cancelled before"));
    cancel();
    cancel();
    clock.after(10, () => cancelLate());
    const cancelLate = clock.after(10, timer("cancelled in time"));
    await real.advance(1_000);
    expect(fired).toEqual([]);
  });

  test("does not move when the machine's clock is set", async () => {
    const clock = createSimulatedClock(real, 1);
    const begun = clock.now();
    for (const ms of [3_600_000, -7_200_000]) real.jump(ms);
    expect(clock.now()).toBe(begun);
  });

  test("once stopped it fires nothing, takes no timer and leaves none behind", async () => {
    let left = 0;
    const counting = {
      ...real,
      after(delayMs: number, callback: () => void) {
        left++;
        const cancel = real.after(delayMs, () => {
          left--;
          callback();
        });
        let isOpen = true;
        return () => {
          if (isOpen) left--;
          isOpen = false;
          cancel();
        };
      },
    };
    const clock = createSimulatedClock(counting, 1);
    clock.after(10, timer("before"));
    clock.pause();
    clock.stop();
    clock.resume();
    clock.after(0, timer("afterwards"))();
    clock.after(0, timer("afterwards"));
    await real.advance(1_000);
    expect([fired, left]).toEqual([[], 0]);
  });

  test("whatever is paused when, timers fire in the order of their time, each at its own and never at a standstill", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("after" as const), ms: fc.integer({ min: -5, max: 2_000 }) }),
      fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 500 }) }),
      fc.record({ do: fc.constantFrom("pause" as const, "resume" as const), ms: fc.constant(0) }),
    );
    const check = fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(1, 4, 1_000),
      async (steps, speed) => {
        const machine = createManualClock();
        const clock = createSimulatedClock(machine, speed);
        const seen: { due: number; at: number; order: number }[] = [];
        let pauses = 0;
        let asked = 0;
        let runMs = 0;
        for (const each of steps) {
          if (each.do === "after") {
            const due = clock.elapsedMs() + Math.max(0, each.ms);
            const order = asked++;
            clock.after(each.ms, () => {
              expect(pauses).toBe(0);
              seen.push({ due, at: clock.elapsedMs(), order });
            });
          } else if (each.do === "advance") {
            await machine.advance(each.ms);
            if (pauses === 0) runMs += each.ms * speed;
            expect(clock.elapsedMs()).toBeCloseTo(runMs, 3);
          } else if (each.do === "pause") {
            pauses++;
            clock.pause();
          } else if (pauses > 0) {
            pauses--;
            clock.resume();
          }
        }
        for (; pauses > 0; pauses--) clock.resume();
        pauses = 0;
        await machine.advance(2_001);
        expect(seen).toHaveLength(asked);
        expect(seen).toEqual(seen.toSorted((a, b) => a.due - b.due || a.order - b.order));
        for (const { due, at } of seen) expect(Math.abs(at - due)).toBeLessThan(0.51);
      },
    );
    await fc.assert(check, { numRuns: 60 });
  });
});
