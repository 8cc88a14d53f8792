// Coalesces concurrent requests for long work, such as a pass over a whole file, into shared runs.
import { othersFirst } from "./clock.ts";

/**
 * A request during a run joins the next run, because the current one may have started too early to cover it. Each
 * request waits for at most two runs, regardless of their number.
 */
export function sharedRun<T>(run: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function begin(before: Promise<unknown>): Promise<T> {
    // The result of the previous run concerns only its own callers.
    await before.catch(() => {});
    // Requests from the same turn, such as those after one commit, join this run.
    await othersFirst();
    next = null;
    return run();
  }

  return () => {
    if (next) return next;
    next = begin(last);
    last = next;
    return next;
  };
}
