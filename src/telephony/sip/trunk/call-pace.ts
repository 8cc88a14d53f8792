// Rate limit of a trunk's outbound calls, evenly spaced: carriers reject bursts and block repeat offenders.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";

/** Between the claim of a call and its INVITE. The rules were asked at the claim. */
export const LONGEST_WAIT_MS = 5 * SECOND_MS;

export const TOO_LATE = {
  code: "infrastructure_error",
  message: "The call waited too long for its turn on the trunk. The rules are asked again.",
  putBack: true,
} as const;

export interface CallPace {
  /** Starts the call now or when its turn comes. The returned function removes it from the queue. */
  enter(start: () => void): () => void;
}

export function createCallPace(clock: Clock, callsPerSecond: number): CallPace {
  const spacingMs = 1_000 / Math.max(callsPerSecond, 0.01);
  const queue: (() => void)[] = [];
  let isWaiting = false;

  function release(): void {
    const next = queue.shift();
    isWaiting = next !== undefined;
    if (!next) return;
    clock.after(spacingMs, release);
    next();
  }

  return {
    enter(start) {
      queue.push(start);
      if (!isWaiting) release();
      return () => {
        const at = queue.indexOf(start);
        if (at !== -1) queue.splice(at, 1);
      };
    },
  };
}
