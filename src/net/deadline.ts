// One time limit over a whole attempt: resolving, connecting, sending and reading to the end of the answer.
import { stopwatch, systemClock } from "../core/clock.ts";

export interface Deadline {
  remainingMs(): number;
  /** Calls back when the time is over, at once if it is already. The returned function takes the callback back. */
  onPassed(callback: () => void): () => void;
}

/** One timer, however many wait for it, and none while nobody does: attempts come by the thousand. */
export function startDeadline(timeoutMs: number): Deadline {
  const elapsedMs = stopwatch();
  const remainingMs = () => Math.max(0, timeoutMs - elapsedMs());
  const waiting = new Set<() => void>();
  let cancelTimer = () => {};
  const passed = () => {
    const callbacks = [...waiting];
    waiting.clear();
    for (const callback of callbacks) callback();
  };
  return {
    remainingMs,
    onPassed(callback) {
      // A function of its own, so that the same callback may wait twice.
      const entry = () => callback();
      waiting.add(entry);
      if (waiting.size === 1) cancelTimer = systemClock.after(remainingMs(), passed);
      return () => {
        if (waiting.delete(entry) && waiting.size === 0) cancelTimer();
      };
    },
  };
}

/** The deadline of a part: its share of the time, never more than the whole has left. */
export function shareOf(deadline: Deadline, parts: number): Deadline {
  return startDeadline(deadline.remainingMs() / parts);
}

/** What `work` comes to, or `late()` as its fault where the time is over first. Nobody hears of what it does then. */
export function beforeDeadline<Value>(deadline: Deadline, work: Promise<Value>, late: () => Error): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const cancel = deadline.onPassed(() => limit.reject(late()));
  return Promise.race([work, limit.promise]).finally(cancel);
}
