// Waiting for the outside world: asks again every few milliseconds and gives up at a deadline. The deadline is for a
// machine that others keep busy; a long one costs nothing where things go well.

export interface UntilOptions {
  withinMs?: number;
  everyMs?: number;
  /** What to say when the deadline has passed. */
  what?: () => string;
}

export async function until(holds: () => boolean | Promise<boolean>, options: UntilOptions = {}): Promise<void> {
  const { withinMs = 90_000, everyMs = 10, what = () => "what was waited for did not happen" } = options;
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`After ${withinMs} ms: ${what()}`);
    await Bun.sleep(everyMs);
  }
}
