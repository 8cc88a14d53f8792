// A trunk that fails half of its last calls rests for a while, so that calls wait instead of burning their attempts.
import type { Clock } from "../../../core/clock.ts";

export interface CircuitBreaker {
  /** Null while calls may go out. */
  restingUntilMs(): number | null;
  record(isTrunkFault: boolean): void;
}

const WINDOW_CALLS = 10;
/** Fewer prove nothing: one bad call of two would stop a quiet hospital. */
const LEAST_CALLS = 4;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;

export function createCircuitBreaker(clock: Clock, changed: () => void): CircuitBreaker {
  let recent: boolean[] = [];
  let untilMs: number | null = null;
  let restMs = FIRST_REST_MS;

  function rest(): void {
    untilMs = clock.now() + restMs;
    recent = [];
    // Woken by a timer, not by the wall clock, which somebody may set.
    clock.after(restMs, () => {
      untilMs = null;
      changed();
    });
    restMs = Math.min(restMs * 2, LONGEST_REST_MS);
    changed();
  }

  return {
    restingUntilMs: () => untilMs,
    record(isTrunkFault) {
      if (untilMs !== null) return;
      recent = [...recent, isTrunkFault].slice(-WINDOW_CALLS);
      const faults = recent.filter(Boolean).length;
      if (recent.length >= LEAST_CALLS && faults * 2 >= recent.length) rest();
      else if (recent.length === WINDOW_CALLS) restMs = FIRST_REST_MS;
    },
  };
}
