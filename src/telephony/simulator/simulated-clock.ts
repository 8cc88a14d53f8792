// Clock of one simulated call: it runs at its own speed, and stops while the agent waits for an answer, so that a
// calendar lookup takes no simulated time at any speed.
import type { Clock } from "../../core/clock.ts";

export interface SimulatedClock extends Clock {
  /** Each pause needs its own resume. */
  pause(): void;
  resume(): void;
  /** Cancels all timers, and accepts no new ones. */
  stop(): void;
}

interface Timer {
  dueMs: number;
  callback: () => void;
}

export function createSimulatedClock(real: Clock, speed: number): SimulatedClock {
  const startedAtMs = real.now();
  const timers = new Set<Timer>();
  let passedMs = 0;
  let runningSinceMs: number | null = real.elapsedMs();
  let pauses = 0;
  let isStopped = false;
  let cancelNext = (): void => {};

  const next = (): Timer | null =>
    timers.values().reduce<Timer | null>((first, timer) => (first && first.dueMs <= timer.dueMs ? first : timer), null);

  /** Never beyond the next timer: a timer that fires late on a busy machine does not lengthen the call. */
  function elapsedMs(): number {
    if (runningSinceMs === null) return passedMs;
    return Math.min(passedMs + (real.elapsedMs() - runningSinceMs) * speed, next()?.dueMs ?? Infinity);
  }

  function standAt(ms: number): void {
    passedMs = ms;
    if (runningSinceMs !== null) runningSinceMs = real.elapsedMs();
  }

  function schedule(): void {
    cancelNext();
    cancelNext = () => {};
    const timer = next();
    if (runningSinceMs === null || !timer) return;
    cancelNext = real.after((timer.dueMs - elapsedMs()) / speed, () => fire(timer));
  }

  /** Fires one timer at a time: its consequences run before the next timer. A real timer may fire slightly early. */
  function fire(timer: Timer): void {
    timers.delete(timer);
    standAt(timer.dueMs);
    timer.callback();
    schedule();
  }

  return {
    now: () => startedAtMs + elapsedMs(),
    elapsedMs,
    after(delayMs, callback) {
      if (isStopped) return () => {};
      const timer: Timer = { dueMs: elapsedMs() + Math.max(0, delayMs), callback };
      timers.add(timer);
      schedule();
      return () => {
        if (!timers.has(timer)) return;
        const nowMs = elapsedMs();
        timers.delete(timer);
        standAt(nowMs);
        schedule();
      };
    },
    pause() {
      pauses += 1;
      if (runningSinceMs === null) return;
      passedMs = elapsedMs();
      runningSinceMs = null;
      schedule();
    },
    resume() {
      pauses -= 1;
      if (pauses > 0 || runningSinceMs !== null) return;
      runningSinceMs = real.elapsedMs();
      schedule();
    },
    stop() {
      isStopped = true;
      timers.clear();
      schedule();
    },
  };
}
