// Throttle for sign-in attempts, without lock-out. Failures are counted per person and source, and each further attempt
// is delayed longer. A device on which the person signed in before has its own count.
import { HOUR_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import { createGuessPace, LONGEST_HELD_MS, sourceKey, type Try } from "./guess-pace.ts";
import { createHashGate } from "./hash-gate.ts";

/** Requests held at once, over all sources: each needs a timer and a few kilobytes. */
const MOST_HELD = 500;

export interface LoginThrottle {
  /**
   * Runs `check` when the attempt's turn comes. `check` returns null for a wrong password. Throws RATE_LIMITED if the
   * wait is too long.
   */
  run<T>(attempt: Try, check: () => Promise<T | null>): Promise<T | null>;
}

/** A connection idle for `idleTimeoutMs` is closed, so an attempt is held for well under that. */
export function createLoginThrottle(
  clock: Clock,
  logger: Logger,
  idleTimeoutMs = Infinity,
  gate = createHashGate(),
): LoginThrottle {
  const pace = createGuessPace(clock, Math.min(LONGEST_HELD_MS, (idleTimeoutMs * 2) / 3));
  let held = 0;
  let toldAt = -Infinity;

  const refused = (waitMs: number) => {
    // Logged once an hour, without naming the person.
    if (Math.abs(clock.now() - toldAt) >= HOUR_MS) {
      toldAt = clock.now();
      logger.warn(
        "Wrong passwords arrive faster than people type. This may be an attack; known devices can still sign in.",
      );
    }
    // At least 2, to avoid "1 seconds". Rounding up is harmless.
    const seconds = Math.max(2, Math.ceil(waitMs / SECOND_MS));
    const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
    return new AppError("RATE_LIMITED", `Too many failed attempts. Try again in ${wait}.`, {
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
      // The attempt stays counted: a flood must not make attempts free.
      if (turn.waitMs > 0 && held >= MOST_HELD) throw refused(turn.waitMs);
      await hold(turn.waitMs);
      const found = await gate.run(attempt.by.kind === "stranger" ? source : null, check);
      if (found !== null) turn.took();
      return found;
    },
  };
}
