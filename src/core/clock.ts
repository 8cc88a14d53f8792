// The only place that reads the clock or sets a timer. Everything else is handed a Clock, so that tests move time by
// hand.
import { machineUptime, type Uptime } from "./uptime.ts";

export interface Clock {
  /**
   * Milliseconds since the Unix epoch. The machine's own clock jumps when it is set; the appliance's
   * (scheduler/trusted-clock.ts) does not before the jump is believed.
   */
  now(): number;
  /** Milliseconds that only ever grow, from a start that means nothing. They stand still while the machine sleeps. */
  elapsedMs(): number;
  /** Calls back once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /**
   * What the machine's clock shows while it is not to be believed; null or absent while it is. Until then no call goes
   * out.
   */
  doubtedMs?(): number | null;
  /** Null or absent where it is not known. */
  uptime?(): Uptime | null;
}

export const isBelieved = (clock: Pick<Clock, "doubtedMs">): boolean => (clock.doubtedMs?.() ?? null) === null;

/** setTimeout overflows above 2^31-1 ms and then fires at once, so a longer wait is cut and the waiter asks again. */
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

/** The same, for what must not keep a process from ending. */
export const unheldClock: Clock = {
  ...systemClock,
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Milliseconds that only ever grow, with fractions, from a start that means nothing: for pacing and for measuring. */
export function monotonicMs(): number {
  return performance.now();
}

/** Milliseconds that only ever grow, for measuring how long something took. */
export function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** Milliseconds of work that this thread did, whatever else kept the processor busy meanwhile. */
export function workwatch(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Lets whatever waits have its turn, in the middle of long work. It is no matter of time, so no Clock is asked. */
export function othersFirst(): Promise<void> {
  return new Promise((resume) => void setImmediate(resume));
}

/** So long may work hold its thread before others have their turn. */
const TURN_MS = 5;

/** For long work in small parts: awaited after each of them, it lets others have their turn every few milliseconds. */
export function createTurns(): () => Promise<void> | undefined {
  let begunMs = monotonicMs();
  return () => {
    if (monotonicMs() - begunMs < TURN_MS) return undefined;
    return othersFirst().then(() => void (begunMs = monotonicMs()));
  };
}

/** ISO 8601 in UTC with milliseconds and `Z`, as every time in the API is spoken. */
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
