// One timeout for a whole attempt: resolve, connect, send, and read to the end of the response.
import { systemClock, type Clock } from "../core/clock.ts";

export interface Deadline {
  remainingMs(): number;
  /** Calls back when the deadline passes, immediately if it has. The returned function removes the callback. */
  onPassed(callback: () => void): () => void;
  /** The deadline of a part: its share of the time, never more than the whole has left. */
  share(parts: number): Deadline;
}

export interface DeadlineOptions {
  clock?: Pick<Clock, "after" | "elapsedMs">;
  /** Aborting it ends the time. */
  signal?: AbortSignal | null;
}

/** Uses one timer for all waiters, and none without waiters, because there are thousands of attempts. */
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
      // A separate function, so the same callback may be registered twice.
      const entry = () => callback();
      waiting.add(entry);
      if (waiting.size === 1) cancelTimer = clock.after(remainingMs(), passed);
      return () => {
        if (waiting.delete(entry) && waiting.size === 0) cancelTimer();
      };
    },
  };
}

/** Resolves like `work`, or rejects with `late()` if the deadline passes first. A later result of `work` is ignored. */
export function beforeDeadline<Value>(deadline: Deadline, work: Promise<Value>, late: () => Error): Promise<Value> {
  const limit = Promise.withResolvers<never>();
  const cancel = deadline.onPassed(() => limit.reject(late()));
  return Promise.race([work, limit.promise]).finally(cancel);
}
