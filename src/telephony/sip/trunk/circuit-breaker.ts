// Circuit breaker of a trunk: it rests after half of its last calls failed, or for as long as it asked for, and calls
// wait.
import type { Clock } from "../../../core/clock.ts";

export interface CircuitBreaker {
  /** Null while calls may go out. */
  restingUntilMs(): number | null;
  record(isTrunkFault: boolean): void;
  /** The trunk named the time itself. */
  restFor(ms: number): void;
}

const WINDOW_CALLS = 10;
/** Fewer prove nothing: one bad call of two would stop a quiet hospital. */
const LEAST_CALLS = 4;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;
/** Of a rest that the trunk asks for: a mistyped Retry-After must not silence a hospital for a day. */
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
    // Woken by a timer, not by the wall clock, which an administrator may set.
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
