// Slows down guessing: after a few wrong passwords for one address, or from one place, the next try waits.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";

const WINDOW_MS = 15 * MINUTE_MS;
/** A person mistypes three times; a guesser does not get far with five. */
const MOST_PER_EMAIL = 5;
/** A ward may share one address on the network. */
const MOST_PER_SOURCE = 30;
/** Bounds memory against a flood of invented addresses. */
const MOST_REMEMBERED = 20_000;

export interface LoginThrottle {
  /** Throws RATE_LIMITED where too many tries failed of late. */
  assertMayTry(email: string, source: string): void;
  failed(email: string, source: string): void;
  succeeded(email: string): void;
}

export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failures = new Map<string, number[]>();

  const recent = (key: string): number[] => (failures.get(key) ?? []).filter((at) => Math.abs(clock.now() - at) < WINDOW_MS);

  function note(key: string): void {
    if (failures.size >= MOST_REMEMBERED) failures.clear();
    failures.set(key, [...recent(key), clock.now()]);
  }

  return {
    assertMayTry(email, source) {
      for (const [key, most] of [
        [`email ${email}`, MOST_PER_EMAIL],
        [`source ${source}`, MOST_PER_SOURCE],
      ] as const) {
        const times = recent(key);
        const [oldest] = times;
        if (times.length < most || oldest === undefined) continue;
        throw new AppError("RATE_LIMITED", "Too many wrong passwords. Wait a little and try again.", {
          retryAfterSeconds: (oldest + WINDOW_MS - clock.now()) / SECOND_MS,
        });
      }
    },
    failed(email, source) {
      note(`email ${email}`);
      note(`source ${source}`);
    },
    succeeded(email) {
      failures.delete(`email ${email}`);
    },
  };
}
