// A virtual clock in the past that jumps from one event to the next.
import type { Clock } from "../core/clock.ts";

export interface PastClock extends Clock {
  /** When the next timer is due; Infinity if there is none. */
  nextTimerAt(): number;
  /** Never backwards. */
  moveTo(at: number): void;
  /** Fires one due timer. False if none is due. */
  fireOne(): boolean;
}

interface Timer {
  at: number;
  callback: () => void;
}

export function createPastClock(startMs: number): PastClock {
  let now = startMs;
  /** In order of time; equal times in order of creation. */
  const timers: Timer[] = [];

  function insert(timer: Timer): void {
    let place = timers.length;
    while (place > 0 && (timers[place - 1]?.at ?? 0) > timer.at) place -= 1;
    timers.splice(place, 0, timer);
  }

  return {
    now: () => now,
    elapsedMs: () => now - startMs,
    after(delayMs, callback) {
      const timer = { at: now + Math.max(0, delayMs), callback };
      insert(timer);
      return () => {
        const place = timers.indexOf(timer);
        if (place !== -1) timers.splice(place, 1);
      };
    },
    nextTimerAt: () => timers[0]?.at ?? Infinity,
    moveTo(at) {
      now = Math.max(now, at);
    },
    fireOne() {
      const [timer] = timers;
      if (!timer || timer.at > now) return false;
      timers.shift();
      timer.callback();
      return true;
    },
  };
}
