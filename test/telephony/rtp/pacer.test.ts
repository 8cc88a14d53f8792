import { expect, test } from "bun:test";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger, type Logger } from "../../../src/core/logger.ts";
import { createPacer } from "../../../src/telephony/rtp/pacer.ts";
import { until } from "../../support/until.ts";

/** Time that the test moves, with timers that fire as late as it likes. */
function stage() {
  let nowMs = 1_000;
  let pending: { atMs: number; callback: () => void } | null = null;
  const clock = {
    after(delayMs: number, callback: () => void) {
      const timer = { atMs: nowMs + delayMs, callback };
      pending = timer;
      return () => {
        if (pending === timer) pending = null;
      };
    },
  };
  return {
    clock,
    nowMs: () => nowMs,
    isWaiting: () => pending !== null,
    /** Lets the process do nothing but sleep for so long: due timers fire once, at its end. */
    stall(ms: number) {
      nowMs += ms;
      const due = pending;
      if (due && due.atMs <= nowMs) {
        pending = null;
        due.callback();
      }
    },
    flow(ms: number) {
      const endMs = nowMs + ms;
      while (pending && pending.atMs <= endMs) this.stall(Math.max(0, pending.atMs - nowMs));
      nowMs = endMs;
    },
  };
}

function pacerOn(time: ReturnType<typeof stage>, logger: Logger = silentLogger) {
  return createPacer({ clock: time.clock, logger, nowMs: time.nowMs });
}

test("every call gets a frame each 20 ms, and the calls are spread over the four phases", () => {
  const time = stage();
  const pacer = pacerOn(time);
  const ticks = Array.from({ length: 8 }, (): number[] => []);
  for (const times of ticks) pacer.add({ tick: () => times.push(time.nowMs()) });
  time.flow(1_000);
  for (const times of ticks) {
    expect(times).toHaveLength(50);
    expect(times.every((at, i) => i === 0 || at === times[i - 1]! + 20)).toBeTrue();
  }
  expect(new Set(ticks.map(([first]) => first! % 20)).size).toBe(4);
});

test("timers that are always late do not slow the stream", () => {
  const time = stage();
  const pacer = pacerOn(time);
  let frames = 0;
  pacer.add({ tick: () => frames++ });
  for (let i = 0; i < 1_000; i++) time.stall(7); // a timer of 5 ms that comes after 7
  expect(frames).toBeWithin(349, 352);
});

test("after a stall at most three frames are made up for, and the rest is skipped in the count", () => {
  const time = stage();
  const pacer = pacerOn(time);
  const frames: number[] = [];
  pacer.add({ tick: (frame) => frames.push(frame) });
  time.flow(100);
  const before = frames.length;
  time.stall(1_000);
  const burst = frames.slice(before);
  expect(burst).toHaveLength(3);
  expect(burst[0]! - frames[before - 1]!).toBeWithin(47, 50);
  time.flow(40);
  expect(frames.slice(before + 3)).toEqual([burst[2]! + 1, burst[2]! + 2]);
  expect(pacer.lagP99Ms()).toBeGreaterThan(30);
});

test("lag is the lateness of the last call of a tick, and frames within 5 ms are on time", () => {
  const time = stage();
  const pacer = pacerOn(time);
  pacer.add({ tick() {} });
  time.flow(1_000);
  expect(pacer.lagP99Ms()).toBe(0);
  expect(pacer.served).toEqual({ frames: 50, onTime: 50 });
  time.stall(60);
  expect(pacer.served.frames - pacer.served.onTime).toBeGreaterThan(0);
});

test("a call that throws is logged and stops no other call", () => {
  const time = stage();
  const errors: string[] = [];
  const pacer = pacerOn(time, { ...silentLogger, error: (message) => errors.push(message) });
  let frames = 0;
  pacer.add({
    tick() {
      throw new Error("broken");
    },
  });
  pacer.add({ tick: () => frames++ });
  time.flow(100);
  expect(frames).toBe(5);
  expect(errors).toContain("a call's media tick failed");
});

test("a call that leaves is served no more, and with the last one the tick ends and old lag is forgotten", () => {
  const time = stage();
  const pacer = pacerOn(time);
  let frames = 0;
  const leave = pacer.add({
    tick() {
      frames++;
      leave();
    },
  });
  time.flow(25);
  time.stall(500);
  expect(frames).toBe(1);
  time.flow(100);
  expect(time.isWaiting()).toBeFalse();
  expect(pacer.lagP99Ms()).toBe(0);
  pacer.add({ tick: () => frames++ });
  time.flow(100);
  expect(frames).toBe(6);
});

test("on the machine's own clock 40 calls are served, each frame once and in order", async () => {
  const pacer = createPacer({ clock: systemClock, logger: silentLogger });
  const served = Array.from({ length: 40 }, (): number[] => []);
  for (const frames of served) pacer.add({ tick: (frame) => frames.push(frame) });
  await until(() => served.every((frames) => frames.length >= 20));
  pacer.stop();
  // How near to its time each comes is counted by ./scripts/bench media: it takes a quiet machine.
  for (const frames of served) expect(frames.every((frame, i) => i === 0 || frame > frames[i - 1]!)).toBeTrue();
});
