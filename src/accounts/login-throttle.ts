// Slows down guessing without shutting anybody out: wrong tries are counted by person and source together, and the next
// one is held a little longer each time. A device on which the person signed in before has a count of its own.
import { HOUR_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { createGuessPace, LONGEST_HELD_MS, sourceKey, type Try } from "./guess-pace.ts";
import { createHashGate } from "./hash-gate.ts";

/** Requests that are being held, over all sources: each is a timer and a few kilobytes. */
const MOST_HELD = 500;

export interface LoginThrottle {
  /**
   * Runs `check`, which answers what it found or null for a wrong password, once its turn has come. Throws RATE_LIMITED
   * where that is too far off.
   */
  run<T>(attempt: Try, check: () => Promise<T | null>): Promise<T | null>;
}

/** A connection on which nothing moves for `idleTimeoutMs` is closed, so a try is held for well under that. */
export function createLoginThrottle(clock: Clock, logger: Logger, idleTimeoutMs = Infinity): LoginThrottle {
  const pace = createGuessPace(clock, Math.min(LONGEST_HELD_MS, (idleTimeoutMs * 2) / 3));
  const gate = createHashGate();
  let held = 0;
  let toldAt = -Infinity;

  const refused = (waitMs: number) => {
    // Once an hour, and without saying whose password it is.
    if (Math.abs(clock.now() - toldAt) >= HOUR_MS) {
      toldAt = clock.now();
      logger.warn("Wrong passwords come faster than people type. Somebody may be guessing; known devices get in.");
    }
    // Never "1 seconds", and a little late is in time.
    const seconds = Math.max(2, Math.ceil(waitMs / SECOND_MS));
    const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
    return new AppError("RATE_LIMITED", `Too many wrong tries. Try again in ${wait}.`, {
      retryAfterSeconds: seconds,
    });
  };

  async function hold(waitMs: number): Promise<void> {
    if (waitMs === 0) return;
    held++;
    await new Promise<void>((resume) => void clock.after(waitMs, resume));
    held--;
  }

  return {
    async run(attempt, check) {
      const source = sourceKey(attempt.source);
      const turn = pace.next({ ...attempt, source });
      if ("refusedForMs" in turn) throw refused(turn.refusedForMs);
      // The try stays counted: a flood is not a way to try for nothing.
      if (turn.waitMs > 0 && held >= MOST_HELD) throw refused(turn.waitMs);
      await hold(turn.waitMs);
      const found = await gate.run(attempt.by.kind === "stranger" ? source : null, check);
      if (found !== null) turn.took();
      return found;
    },
  };
}
