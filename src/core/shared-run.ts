// Long work that serves everybody who asked for it before it began, such as a pass over a whole file.
import { othersFirst } from "./clock.ts";

/**
 * Whoever asks while a run is under way shares the next one with all others who do: what they want done may have come
 * too late for the one that runs. However many ask, each waits for two runs at most.
 */
export function sharedRun<T>(run: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function begin(before: Promise<unknown>): Promise<T> {
    // How the one before ended is the business of those who asked for it.
    await before.catch(() => {});
    // Those whose turn comes with this one, such as the answers of one commit, join.
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
