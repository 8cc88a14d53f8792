// Rate limit of a trunk's outbound calls, evenly spaced: carriers reject bursts and block repeat offenders.
import type { Clock } from "../../../core/clock.ts";

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
