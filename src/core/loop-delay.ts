// Event loop delay: how late this thread's timers fire. It adds to the latency of every request and call.
import { SECOND_MS, type Clock } from "./clock.ts";
import type { Metrics } from "./metrics.ts";

const EVERY_MS = 100;
/** Seconds. Nothing should block the thread for more than 20 ms. */
const BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5] as const;

/** The returned function stops it. */
export function measureLoopDelay(metrics: Metrics, clock: Clock): () => void {
  const delay = metrics.histogram(
    "ringward_event_loop_delay_seconds",
    "Delay of timers on the serving thread, sampled ten times a second.",
    BUCKETS,
  );
  let cancel = () => {};
  const next = (): void => {
    const dueMs = clock.elapsedMs() + EVERY_MS;
    cancel = clock.after(EVERY_MS, () => {
      delay.observe(Math.max(0, clock.elapsedMs() - dueMs) / SECOND_MS);
      next();
    });
  };
  next();
  return () => cancel();
}
