// Delivery metrics for /metrics.
import { SECOND_MS } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Lane } from "./lane.ts";
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from "./records.ts";

/** In seconds. The target is 0.25 s. */
const LATENESS_BUCKETS = [0.01, 0.05, 0.1, 0.25, 1, 5, 30, 300];

export interface DeliveryMetrics {
  /** `attempts`: the number of earlier attempts. */
  begun(attempts: number, lateMs: number): void;
  ended(outcome: AttemptOutcome): void;
}

export function createDeliveryMetrics(metrics: Metrics, lanes: ReadonlyMap<string, Lane>): DeliveryMetrics {
  const ended = metrics.counter("ringward_webhook_attempts_total", "Delivery attempts, by outcome.");
  const lateness = metrics.histogram(
    "ringward_webhook_retry_lateness_seconds",
    "Lateness of retries.",
    LATENESS_BUCKETS,
  );
  const ofLanes = (value: (lane: Lane) => number) => () =>
    [...lanes.values()].map((lane) => ({ labels: { endpoint_id: lane.endpointId }, value: value(lane) }));
  metrics.gauges(
    "ringward_webhook_places",
    "Concurrent deliveries allowed per endpoint, adapted to its responses.",
    ofLanes(({ pace }) => pace.places),
  );
  metrics.gauges(
    "ringward_webhook_under_way",
    "Deliveries in progress, by endpoint.",
    ofLanes(({ awaited }) => awaited),
  );
  const endedAs = Object.fromEntries(ATTEMPT_OUTCOMES.map((outcome) => [outcome, ended.of({ outcome })]));
  return {
    begun(attempts, lateMs) {
      if (attempts > 0) lateness.observe(Math.max(0, lateMs) / SECOND_MS);
    },
    ended: (outcome) => endedAs[outcome]?.add(),
  };
}
