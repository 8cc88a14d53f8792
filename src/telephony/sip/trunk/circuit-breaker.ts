// Circuit breaker of a trunk: opens after half of its last calls failed, or for the time that the trunk asked for;
// calls wait meanwhile.
import type { Clock } from "../../../core/clock.ts";

export interface CircuitBreaker {
  /** Null while calls are allowed. */
  restingUntilMs(): number | null;
  record(isTrunkFault: boolean): void;
  /** The trunk specified the time itself. */
  restFor(ms: number): void;
}

const WINDOW_CALLS = 10;
/** Minimum sample: one failed call of two must not stop a small hospital. */
const LEAST_CALLS = 4;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;
/** Limit of the time that a trunk may ask for: a mistyped Retry-After must not block a hospital for a day. */
const LONGEST_ASKED_MS = 3_600_000;
const SHORTEST_ASKED_MS = 1_000;

export function createCircuitBreaker(clock: Clock, changed: () => void): CircuitBreaker {
  let recent: boolean[] = [];
  let untilMs: number | null = null;
  let restMs = FIRST_REST_MS;
  let cancelWake = () => {};

  function rest(ms: number): void {
    cancelWake();
    untilMs = clock.now() + ms;
    recent = [];
    // Uses a timer, not the wall clock, which an administrator may change.
    cancelWake = clock.after(ms, () => {
      untilMs = null;
      changed();
    });
    changed();
  }

  return {
    restingUntilMs: () => untilMs,
    record(isTrunkFault) {
      if (untilMs !== null) return;
      recent = [...recent, isTrunkFault].slice(-WINDOW_CALLS);
      const faults = recent.filter(Boolean).length;
      if (recent.length >= LEAST_CALLS && faults * 2 >= recent.length) {
        rest(restMs);
        restMs = Math.min(restMs * 2, LONGEST_REST_MS);
      } else if (recent.length === WINDOW_CALLS) restMs = FIRST_REST_MS;
    },
    restFor(ms) {
      const askedMs = Math.min(Math.max(ms, SHORTEST_ASKED_MS), LONGEST_ASKED_MS);
      if (untilMs === null || clock.now() + askedMs > untilMs) rest(askedMs);
    },
  };
}
