// The time of one simulated call: it runs at its own speed, and stands still while the agent waits for an answer, so
// that a calendar takes no simulated time however fast the call goes.
import type { Clock } from "../../core/clock.ts";

export interface SimulatedClock extends Clock {
  /** Each pause needs its own resume. */
  pause(): void;
  resume(): void;
  /** No timer fires any more, and none is taken. */
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

  const elapsedMs = (): number =>
    runningSinceMs === null ? passedMs : passedMs + (real.elapsedMs() - runningSinceMs) * speed;

  function schedule(): void {
    cancelNext();
    cancelNext = () => {};
    if (runningSinceMs === null || timers.size === 0) return;
    const dueMs = timers.values().reduce((earliest, timer) => Math.min(earliest, timer.dueMs), Infinity);
    cancelNext = real.after((dueMs - elapsedMs()) / speed, fire);
  }

  /** In the order in which they fall due. A real timer may come a hair early, so half a millisecond counts as due. */
  function fire(): void {
    const nowMs = elapsedMs() + 0.5;
    const due = [...timers].filter(({ dueMs }) => dueMs <= nowMs).toSorted((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) {
      // One of them may have made the time stand still; the others wait with it.
      if (runningSinceMs === null) break;
      if (timers.delete(timer)) timer.callback();
    }
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
        if (timers.delete(timer)) schedule();
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
