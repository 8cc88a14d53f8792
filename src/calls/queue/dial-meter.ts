// Metrics of dial lateness.
import { SECOND_MS } from "../../core/clock.ts";
import type { Metrics } from "../../core/metrics.ts";

/** Seconds. The target is one second; after an hour a call is overdue. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600];

export function createDialMeter(metrics: Metrics): (lateMs: number) => void {
  const lateness = metrics.histogram(
    "ringward_dial_lateness_seconds",
    "From when a call could go out (its time, or the end of its hold) until it was dialled.",
    BUCKETS,
  );
  return (lateMs) => lateness.observe(lateMs / SECOND_MS);
}
