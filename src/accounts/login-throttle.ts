// Slows down guessing: after a few wrong tries for one address, or from one place, the next try waits.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";

const WINDOW_MS = 15 * MINUTE_MS;
/** A person mistypes three times; a guesser does not get far with five. */
const MOST_PER_EMAIL = 5;
/** A ward may share one address on the network. */
const MOST_PER_SOURCE = 30;
/** Bounds memory against a flood of invented addresses; the oldest are forgotten first. */
const MOST_REMEMBERED = 20_000;

/** Whose secret is tried, where it is a person's, and from where. */
export interface Try {
  email?: string;
  source: string;
}

export interface LoginThrottle {
  /**
   * Throws RATE_LIMITED where too many tries failed of late. Otherwise counts this one as failed before it is made:
   * a hundred that arrive together would all be let through if they were counted after the slow hash.
   */
  begin(attempt: Try): void;
  succeeded(attempt: Try): void;
}

export function createLoginThrottle(clock: Clock): LoginThrottle {
  const failures = new Map<string, number[]>();

  const recent = (key: string): number[] =>
    (failures.get(key) ?? []).filter((at) => Math.abs(clock.now() - at) < WINDOW_MS);

  function note(key: string): void {
    const times = [...recent(key), clock.now()];
    failures.delete(key);
    const [longestSilent] = failures.keys();
    if (failures.size >= MOST_REMEMBERED && longestSilent !== undefined) failures.delete(longestSilent);
    failures.set(key, times);
  }

  return {
    begin(attempt) {
      for (const [key, most] of limitsOf(attempt)) {
        const times = recent(key);
        const [oldest] = times;
        if (times.length < most || oldest === undefined) continue;
        throw new AppError("RATE_LIMITED", "Too many wrong tries. Wait a little and try again.", {
          retryAfterSeconds: (oldest + WINDOW_MS - clock.now()) / SECOND_MS,
        });
      }
      for (const [key] of limitsOf(attempt)) note(key);
    },
    succeeded({ email, source }) {
      if (email !== undefined) failures.delete(`email ${email}`);
      failures.get(sourceKey(source))?.pop();
    },
  };
}

function limitsOf({ email, source }: Try): (readonly [key: string, most: number])[] {
  const bySource = [sourceKey(source), MOST_PER_SOURCE] as const;
  return email === undefined ? [bySource] : [[`email ${email}`, MOST_PER_EMAIL], bySource];
}

/** One household or attacker holds a whole IPv6 /64 (RFC 6177), so its 2^64 addresses count as one place. */
function sourceKey(source: string): string {
  if (!source.includes(":") || source.includes(".")) return `source ${source}`;
  const [head = "", tail = ""] = source.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `source ${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}
