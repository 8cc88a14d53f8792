// Clock and timers, read only here. All other code receives a Clock, so tests control time.
import { machineUptime, type Uptime } from "./uptime.ts";

export interface Clock {
  /**
   * Milliseconds since the Unix epoch. The machine's clock jumps when it is set; the appliance's clock
   * (scheduler/trusted-clock.ts) jumps only after the change is trusted.
   */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. They do not advance while the machine is suspended. */
  elapsedMs(): number;
  /** Calls back once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** The machine's time while it is not trusted; null or absent while it is. No call goes out before. */
  doubtedMs?(): number | null;
  /** Null or absent if unknown. */
  uptime?(): Uptime | null;
}

export const isBelieved = (clock: Pick<Clock, "doubtedMs">): boolean => (clock.doubtedMs?.() ?? null) === null;

/**
 * setTimeout overflows above 2^31-1 ms and fires immediately, so a longer wait is cut short and the caller re-arms it.
 */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: monotonicMs,
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
  uptime: machineUptime,
};

/** The same, with timers that do not keep the process alive. */
export const unheldClock: Clock = {
  ...systemClock,
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Monotonic milliseconds with fractions, from an arbitrary start: for pacing and measuring. */
export function monotonicMs(): number {
  return performance.now();
}

/** Measures elapsed monotonic milliseconds. */
export function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/**
 * Measures time by the wall clock and by the monotonic clock, and answers the longer one: the machine may have been
 * suspended, and its clock may have been set.
 */
export function timeSince({ now, elapsedMs }: Pick<Clock, "now" | "elapsedMs">): () => number {
  const [wall, elapsed] = [now(), elapsedMs()];
  return () => Math.max(now() - wall, elapsedMs() - elapsed);
}

/** Measures CPU milliseconds of this thread, independent of other load. */
export function workwatch(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Yields to the event loop during long work. It does not depend on time, so no Clock is involved. */
export function othersFirst(): Promise<void> {
  return new Promise((resume) => void setImmediate(resume));
}

/** Longest time that work may block its thread before it yields. */
const TURN_MS = 5;

/** For long work in small parts: await it after each part to yield every few milliseconds. */
export function createTurns(): () => Promise<void> | undefined {
  let begunMs = monotonicMs();
  return () => {
    if (monotonicMs() - begunMs < TURN_MS) return undefined;
    return othersFirst().then(() => void (begunMs = monotonicMs()));
  };
}

/** ISO 8601 in UTC with milliseconds and `Z`, the format of every time in the API. */
export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function toIsoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
