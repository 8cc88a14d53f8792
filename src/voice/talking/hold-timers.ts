// Timers that pause during SIP hold, when the callee neither hears nor answers.
import type { Clock } from "../../core/clock.ts";

interface Timer {
  leftMs: number;
  /** Start of the current run; null while paused. */
  sinceMs: number | null;
  callback: () => void;
  cancel: () => void;
}

export interface HoldTimers {
  readonly isHeld: boolean;
  /** Same as Clock.after; returns a cancel function. */
  after(delayMs: number, callback: () => void): () => void;
  held(isHeld: boolean): void;
}

export function createHoldTimers(clock: Clock): HoldTimers {
  const timers = new Set<Timer>();
  let isHeld = false;

  function run(timer: Timer): void {
    timer.sinceMs = clock.elapsedMs();
    timer.cancel = clock.after(timer.leftMs, () => {
      timers.delete(timer);
      timer.callback();
    });
  }

  function stand(timer: Timer): void {
    timer.cancel();
    timer.leftMs = Math.max(0, timer.leftMs - (clock.elapsedMs() - (timer.sinceMs ?? clock.elapsedMs())));
    timer.sinceMs = null;
  }

  return {
    get isHeld() {
      return isHeld;
    },
    after(delayMs, callback) {
      const timer: Timer = { leftMs: delayMs, sinceMs: null, callback, cancel: () => {} };
      timers.add(timer);
      if (!isHeld) run(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    held(now) {
      if (now === isHeld) return;
      isHeld = now;
      for (const timer of timers) {
        if (now) stand(timer);
        else run(timer);
      }
    },
  };
}
