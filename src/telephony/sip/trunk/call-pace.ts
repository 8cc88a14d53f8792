// Lets calls leave at most so many a second, evenly spaced: carriers refuse bursts and block who repeats them.
import type { Clock } from "../../../core/clock.ts";

export interface CallPace {
  /** Runs it now or as soon as its turn comes. The returned function takes it out of the queue. */
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
