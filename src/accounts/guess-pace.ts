// How fast passwords may be tried, as figures and bookkeeping without a timer: each try is given the time it has to wait,
// or refused where the wait is longer than a request can be held.
//
// What an attacker gets on one person's password in a day (test/accounts/login-throttle.test.ts holds the figures):
//   one address            about 300: 3 at once, then pauses that double from 1 s to 5 min
//   10,000 addresses       about 4,400: 2,900 from addresses new to this person, 1,500 from those that failed before
// A list of the 100,000 most common passwords takes such a botnet three weeks, a random password of ten letters for ever.
import { DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";

export interface Try {
  email: string;
  /** Where it comes from; see sourceKey. */
  source: string;
  /** Who tries it: a device on which this person signed in before, their own session, or anybody. */
  by: { kind: "stranger" } | { kind: "device"; id: string } | { kind: "session" };
}

/** Proxies give up after 30 or 60 s without an answer, and so do people. */
export const LONGEST_HELD_MS = 20 * SECOND_MS;
/** Doubling ends here: the right person at the attacker's address gets a turn within minutes, not hours. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** A person mistypes three times before they think about it. */
const FREE_TRIES = 3;
/** On a device where the right password was given before. Guessing from a stolen one gets no further than 300 a day. */
const FREE_TRIES_OF_DEVICE = 10;
/** One mistake is forgiven after each of these without another. */
const FORGIVEN_AFTER_MS = 10 * MINUTE_MS;

/** Of one person's password, by everybody whom we do not know, however many addresses they have. */
interface Lane {
  burst: number;
  everyMs: number;
}
/** Addresses that have not failed on this person of late: a new phone, a hotel, or a botnet's next member. */
const NEW_ADDRESSES: Lane = { burst: 20, everyMs: DAY_MS / 2_880 };
/** Addresses that have. They cannot use up what the others get: to delay a newcomer, one needs new addresses all day. */
const FAILED_ADDRESSES: Lane = { burst: 20, everyMs: DAY_MS / 1_440 };

/** Bounds memory against a flood of invented addresses, at 300 bytes each; the longest silent are forgotten first. */
const MOST_REMEMBERED = 20_000;

export type Turn = { waitMs: number; took: () => void } | { refusedForMs: number };

/** A request is held for `longestHeldMs` at most. */
export function createGuessPace(clock: Clock, longestHeldMs = LONGEST_HELD_MS) {
  const pauses = new Map<string, Pauses>();
  const lanes = new Map<string, { fullAt: number }>();

  const pausesOf = (key: string, freeTries: number): Pauses => {
    const now = clock.now();
    const found = pauses.get(key);
    if (!found) return { failures: 0, freeTries, nextAt: now, lastAt: now };
    // A clock that was set back must not make anybody wait until it has caught up.
    found.lastAt = Math.min(found.lastAt, now + longestHeldMs);
    found.nextAt = Math.min(found.nextAt, now + LONGEST_PAUSE_MS + longestHeldMs);
    const forgiven = Math.max(0, Math.floor((now - found.lastAt) / FORGIVEN_AFTER_MS));
    return { ...found, failures: Math.max(0, found.failures - forgiven) };
  };

  /** When the lane would be as good as unused. */
  const laneFullAt = (key: string, { burst, everyMs }: Lane): number => {
    const now = clock.now();
    const found = lanes.get(key);
    if (!found) return now;
    found.fullAt = Math.min(found.fullAt, now + burst * everyMs + longestHeldMs);
    return Math.max(now, found.fullAt);
  };

  return {
    /** Counts the try as failed before it is made: a hundred that arrive together would otherwise all be let through. */
    next({ email, source, by }: Try): Turn {
      const now = clock.now();
      const whence = by.kind === "stranger" ? source : by.kind === "device" ? by.id : "";
      const key = `${by.kind} ${whence} ${email}`;
      const own = pausesOf(key, by.kind === "device" ? FREE_TRIES_OF_DEVICE : FREE_TRIES);
      const isNew = own.failures === 0;
      const lane = isNew ? NEW_ADDRESSES : FAILED_ADDRESSES;
      const laneKey = `${isNew ? "new" : "failed"} ${email}`;
      const fullAt = by.kind === "stranger" ? laneFullAt(laneKey, lane) : now;

      const waitMs = Math.max(0, own.nextAt - now, fullAt - now - (lane.burst - 1) * lane.everyMs);
      if (waitMs > longestHeldMs) return { refusedForMs: waitMs };

      const failures = own.failures + 1;
      const nextAt = now + waitMs + pauseAfterMs(failures, own.freeTries);
      remember(pauses, key, { ...own, failures, nextAt, lastAt: now + waitMs });
      if (by.kind === "stranger") remember(lanes, laneKey, { fullAt: fullAt + lane.everyMs });
      return {
        waitMs,
        took() {
          pauses.delete(key);
          const used = lanes.get(laneKey);
          if (by.kind === "stranger" && used) used.fullAt -= lane.everyMs;
        },
      };
    },
  };
}

interface Pauses {
  failures: number;
  freeTries: number;
  nextAt: number;
  lastAt: number;
}

function pauseAfterMs(failures: number, freeTries: number): number {
  return failures < freeTries ? 0 : Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** Math.min(failures - freeTries, 20));
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  const [longestSilent] = map.keys();
  if (map.size >= MOST_REMEMBERED && longestSilent !== undefined) map.delete(longestSilent);
  map.set(key, value);
}

/** One household or attacker holds a whole IPv6 /64 (RFC 6177), so its 2^64 addresses count as one place. */
export function sourceKey(source: string): string {
  // What a proxy says is text of any length.
  const text = source.slice(0, 64);
  if (!text.includes(":") || text.includes(".")) return text;
  const [head = "", tail = ""] = text.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}
