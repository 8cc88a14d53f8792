// One time limit over a whole attempt: resolving, connecting, sending and reading to the end of the answer.
import { stopwatch, systemClock } from "../../core/clock.ts";

export interface Deadline {
  remainingMs(): number;
  /** Calls back when the time is over, at once if it is already. The returned function takes the callback back. */
  onPassed(callback: () => void): () => void;
}

export function startDeadline(timeoutMs: number): Deadline {
  const elapsedMs = stopwatch();
  const remainingMs = () => Math.max(0, timeoutMs - elapsedMs());
  return { remainingMs, onPassed: (callback) => systemClock.after(remainingMs(), callback) };
}

/** The deadline of a part: its share of the time, never more than the whole has left. */
export function shareOf(deadline: Deadline, parts: number): Deadline {
  return startDeadline(deadline.remainingMs() / parts);
}
