// Clock of one simulated call: it runs at its own speed, and stops while the agent works or waits for an answer. A
// calendar lookup therefore takes no simulated time at any speed, and a busy machine does not reorder events.
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

/** Pending timers of one clock. */
function createTimers() {
  const pending = new Set<Timer>();
  /** Kept because every look at the clock needs it. */
  let next: Timer | null = null;
  return {
    /** The earliest timer. Of timers due together, the first one set. */
    next: () => next,
    has: (timer: Timer) => pending.has(timer),
    add(timer: Timer): void {
      pending.add(timer);
      if (!next || timer.dueMs < next.dueMs) next = timer;
    },
    remove(timer: Timer): void {
      pending.delete(timer);
      if (timer !== next) return;
      next = null;
      for (const each of pending) if (!next || each.dueMs < next.dueMs) next = each;
    },
    clear(): void {
      pending.clear();
      next = null;
    },
  };
}

export function createSimulatedClock(real: Clock, speed: number): SimulatedClock {
  const startedAtMs = real.now();
  const timers = createTimers();
  let passedMs = 0;
  let runningSinceMs: number | null = null;
  let pauses = 0;
  let isStopped = false;
  /** Ends of turns that are still to come. */
  const turns = new Set<() => void>();
  let cancelNext = (): void => {};
  /** The timer for which a real one is set. */
  let awaited: Timer | null = null;

  /** Never beyond the next timer: a timer that fires late on a busy machine does not lengthen the call. */
  function elapsedMs(): number {
    if (runningSinceMs === null) return passedMs;
    return Math.min(passedMs + (real.elapsedMs() - runningSinceMs) * speed, timers.next()?.dueMs ?? Infinity);
  }

  function standAt(ms: number): void {
    passedMs = ms;
    if (runningSinceMs !== null) runningSinceMs = real.elapsedMs();
  }

  function pause(): void {
    pauses += 1;
    if (runningSinceMs === null) return;
    passedMs = elapsedMs();
    runningSinceMs = null;
    schedule();
  }

  /** Time goes on when the present work and the promises it settled are done. */
  function resume(): void {
    if (isStopped) return;
    const cancel = real.after(0, () => {
      turns.delete(cancel);
      pauses -= 1;
      if (pauses > 0) return;
      runningSinceMs = real.elapsedMs();
      schedule();
    });
    turns.add(cancel);
  }

  function schedule(): void {
    const timer = runningSinceMs === null ? null : timers.next();
    if (timer === awaited) return;
    cancelNext();
    awaited = timer;
    if (!timer) return;
    cancelNext = real.after((timer.dueMs - elapsedMs()) / speed, () => fire(timer));
  }

  /** Fires one timer at a time: its consequences run before the next timer. A real timer may fire slightly early. */
  function fire(timer: Timer): void {
    awaited = null;
    timers.remove(timer);
    standAt(timer.dueMs);
    pause();
    resume();
    timer.callback();
  }

  pause();
  resume();
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
        timers.remove(timer);
        standAt(nowMs);
        schedule();
      };
    },
    pause,
    resume,
    stop() {
      isStopped = true;
      for (const cancel of turns) cancel();
      timers.clear();
      schedule();
    },
  };
}
