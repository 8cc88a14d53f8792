// One time limit over a whole attempt: resolving, connecting, sending and reading to the end of the answer.
import { systemClock, type Clock } from "../core/clock.ts";

export interface Deadline {
  remainingMs(): number;
  /** Calls back when the time is over, at once if it is already. The returned function takes the callback back. */
  onPassed(callback: () => void): () => void;
  /** The deadline of a part: its share of the time, never more than the whole has left. */
  share(parts: number): Deadline;
}

export interface DeadlineOptions {
  clock?: Pick<Clock, "after" | "elapsedMs">;
  /** When it is aborted, the time is over. */
  signal?: AbortSignal | null;
}

/** One timer, however many wait for it, and none while nobody does: attempts come by the thousand. */
export function startDeadline(timeoutMs: number, options: DeadlineOptions = {}): Deadline {
  const { clock = systemClock, signal = null } = options;
  const startedMs = clock.elapsedMs();
  const remainingMs = () => (signal?.aborted ? 0 : Math.max(0, timeoutMs - (clock.elapsedMs() - startedMs)));
  const waiting = new Set<() => void>();
  let cancelTimer = () => {};
  const passed = () => {
    const callbacks = [...waiting];
    waiting.clear();
    cancelTimer();
    for (const callback of callbacks) callback();
  };
  signal?.addEventListener("abort", passed, { once: true });
  return {
    remainingMs,
    share: (parts) => startDeadline(remainingMs() / parts, options),
    onPassed(callback) {
      // A function of its own, so that the same callback may wait twice.
      const entry = () => callback();
      waiting.add(entry);
      if (waiting.size === 1) cancelTimer = clock.after(remainingMs(), passed);
      return () => {
        if (waiting.delete(entry) && waiting.size === 0) cancelTimer();
      };
    },
  };
}

/** What `work` comes to, or `late()` as its fault where the time is over first. Nobody hears of what it does then. */
export function beforeDeadline<Value>(deadline: Deadline, work: Promise<Value>, late: () => Error): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const cancel = deadline.onPassed(() => limit.reject(late()));
  return Promise.race([work, limit.promise]).finally(cancel);
}
