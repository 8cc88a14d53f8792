// A clock that a test moves by hand. Timers fire in order of their time, and what they start is awaited between them.
import type { Clock } from "../../src/core/clock.ts";
import { isOnPostgres } from "./engines.ts";
import { databasesSettled } from "./open-databases.ts";

export interface ManualClock extends Clock {
  /** Moves time forward, firing every timer on the way at its own time. */
  advance(ms: number): Promise<void>;
  /** Somebody sets the machine's clock: `now` changes, timers keep their remaining time. */
  jump(ms: number): void;
  /** Time passes in which nothing happens: both clocks move on, timers keep their remaining time. */
  pass(ms: number): void;
  /**
   * Hours of which the last minutes alone are lived through: jobs that run every half minute find then what fell due.
   * Days of `advance` are tens of thousands of such jobs.
   */
  leap(ms: number, livedMs?: number): Promise<void>;
}

interface Timer {
  at: number;
  order: number;
  callback: () => void;
}

const LIVED_MS = 2 * 60_000;

export function createManualClock(startMs = Date.parse("2026-11-15T06:00:00Z")): ManualClock {
  let wall = startMs;
  let elapsed = 0;
  let count = 0;
  const timers = new Set<Timer>();

  const nextDue = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at || a.order - b.order)[0];

  /** Work that is not over, such as many jobs in a row, sets its next timer at its end. */
  async function dueAfterWork(until: number): Promise<Timer | undefined> {
    const due = nextDue(until);
    if (due) return due;
    await settle();
    return nextDue(until);
  }

  const clock: ManualClock = {
    now: () => wall,
    elapsedMs: () => elapsed,
    after(delayMs, callback) {
      const timer = { at: elapsed + Math.max(0, delayMs), order: count++, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const until = elapsed + ms;
      await settle();
      for (let timer = await dueAfterWork(until); timer; timer = await dueAfterWork(until)) {
        timers.delete(timer);
        wall += timer.at - elapsed;
        elapsed = timer.at;
        timer.callback();
        await settle();
      }
      wall += until - elapsed;
      elapsed = until;
    },
    jump(ms) {
      wall += ms;
    },
    pass(ms) {
      wall += ms;
      elapsed += ms;
      for (const timer of timers) timer.at += ms;
    },
    async leap(ms, livedMs = LIVED_MS) {
      await settle();
      clock.pass(ms - livedMs);
      await clock.advance(livedMs);
    },
  };
  return clock;
}

/**
 * Waits until earlier commands have reached the database. SQLite answers at once, so tests need not wait; PostgreSQL
 * takes time.
 */
export async function answersArrived(): Promise<void> {
  if (isOnPostgres) await settle();
}

/** Lets everything that is ready run: promises, and the writer's batches, which start on setImmediate. */
export async function settle(rounds = 12): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    await databasesSettled();
  }
}
