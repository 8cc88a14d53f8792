// Paces a client that sends at a fixed rate: a flood or a drip. The traffic is the test; nothing waits here for an
// event.

/** Acts once every so often, and makes up for what a slow machine delays. */
export async function atPace(everyMs: number, times: number, act: (index: number) => void): Promise<void> {
  const startedMs = performance.now();
  for (let i = 0; i < times; i++) {
    act(i);
    const waitMs = startedMs + (i + 1) * everyMs - performance.now();
    if (waitMs > 0) await Bun.sleep(waitMs);
  }
}

/** The pause of a client between two requests, or how long one bears with something. */
export const rest = (ms: number): Promise<void> => Bun.sleep(ms);

/** Runs an action once after a delay, for example a hang-up; the returned function cancels it. */
export function afterwards(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** Acts again and again until it is told to stop. */
export function dripping(everyMs: number, act: () => void): () => void {
  const timer = setInterval(act, everyMs);
  return () => clearInterval(timer);
}
