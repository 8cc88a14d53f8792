// Pacing of password attempts, as arithmetic without a timer: each attempt gets a delay, or is refused if the delay is
// longer than a request can be held.
//
// Attempts an attacker gets at one person's password per day (asserted in test/accounts/guess-pace.test.ts):
//   one address            about 300: 3 at once, then pauses that double from 1 s to 5 min
//   one address, in total  about 8,700 over all people it tries; 17,400 for people who signed in from there
//   10,000 addresses       about 4,400: 2,900 from addresses new to this person, 1,500 from addresses that tried before
// A list of the 100,000 most common passwords takes such a botnet three weeks. A random ten-letter password is out of
// reach.
import { DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { createGuessQueue, remember } from "./guess-queue.ts";

export interface Try {
  email: string;
  /** Origin of the attempt; see sourceKey. */
  source: string;
  /** Who makes the attempt: a device on which this person signed in before, the person's own session, or a stranger. */
  by: { kind: "stranger" } | { kind: "device"; id: string } | { kind: "session" };
}

/** Proxies and people give up after 30 to 60 s without a response. */
export const LONGEST_HELD_MS = 20 * SECOND_MS;
/** Upper bound of the doubling: the real person at the attacker's address gets an attempt within minutes, not hours. */
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** A person mistypes about three times before stopping to think. */
const FREE_TRIES = 3;
/**
 * For a device on which the correct password was given before. A stolen device still gets at most 300 guesses a day.
 */
const FREE_TRIES_OF_DEVICE = 10;
/** One failure is forgiven after each such period without another. */
const FORGIVEN_AFTER_MS = 10 * MINUTE_MS;

/** An address counts as known, even after its failures are forgiven, until it has been silent for this long. */
const KNOWN_FOR_MS = DAY_MS;

export type Turn = { waitMs: number; took: () => void } | { refusedForMs: number };

/** Holds a request for at most `longestHeldMs`. Uses elapsed time, so changing the system clock affects no delay. */
export function createGuessPace(clock: Clock, longestHeldMs = LONGEST_HELD_MS) {
  const pauses = new Map<string, Pauses>();
  const queue = createGuessQueue();
  /** A separate queue: the positions of one address cannot evict those of people. */
  const sources = createGuessQueue();
  /** Which people gave the correct password from which address, since the start. */
  const peopleThere = new Map<string, true>();

  const pausesOf = (key: string, now: number): Pauses | undefined => {
    const found = pauses.get(key);
    if (!found || now - found.seenAt > KNOWN_FOR_MS) return undefined;
    const forgiven = Math.max(0, Math.floor((now - found.lastAt) / FORGIVEN_AFTER_MS));
    return { ...found, failures: Math.max(0, found.failures - forgiven), seenAt: now };
  };

  return {
    /** Counts the attempt as failed before it is made: otherwise a hundred simultaneous attempts would all pass. */
    next({ email, source, by }: Try): Turn {
      const now = clock.elapsedMs();
      const whence = by.kind === "stranger" ? source : by.kind === "device" ? by.id : "";
      const key = `${by.kind} ${whence} ${email}`;
      const known = pausesOf(key, now);
      const own = known ?? { failures: 0, nextAt: now, lastAt: now, seenAt: now };
      const position =
        by.kind === "stranger" ? queue.positionFor(key, email, known ? "failed" : "new", now) : undefined;

      const isOfThere = peopleThere.has(`${source} ${email}`);
      const atSource =
        by.kind === "stranger"
          ? sources.positionFor(key, source, isOfThere ? "peopleThere" : "strangersThere", now)
          : undefined;

      const positionAt = position?.at ?? now;
      const atSourceAt = atSource?.at ?? now;
      const waitMs = Math.max(0, own.nextAt - now, positionAt - now, atSourceAt - now);
      if (waitMs > longestHeldMs) {
        // A reserved position counts as an attempt: addresses that never return cannot remain new and fill the queue.
        const isInLine = positionAt - now === waitMs && position?.keep() === true;
        if (atSourceAt - now === waitMs) atSource?.keep();
        if (known || isInLine) remember(pauses, key, { ...(pauses.get(key) ?? own), seenAt: now });
        return { refusedForMs: waitMs };
      }

      const failures = own.failures + 1;
      const freeTries = by.kind === "device" ? FREE_TRIES_OF_DEVICE : FREE_TRIES;
      const nextAt = now + waitMs + pauseAfterMs(failures, freeTries);
      remember(pauses, key, { failures, nextAt, lastAt: now + waitMs, seenAt: now });
      position?.take();
      atSource?.take();
      return {
        waitMs,
        took() {
          pauses.delete(key);
          position?.giveBack();
          atSource?.giveBack();
          remember(peopleThere, `${source} ${email}`, true);
        },
      };
    },
  };
}

interface Pauses {
  failures: number;
  nextAt: number;
  /** Time of the last attempt, for forgiveness. */
  lastAt: number;
  /** Time of the last attempt, made or refused. */
  seenAt: number;
}

function pauseAfterMs(failures: number, freeTries: number): number {
  return failures < freeTries ? 0 : Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** Math.min(failures - freeTries, 20));
}

/** One household or attacker holds a whole IPv6 /64 (RFC 6177), so its 2^64 addresses count as one source. */
export function sourceKey(source: string): string {
  // A proxy header may be of any length.
  const text = source.slice(0, 64);
  if (!text.includes(":") || text.includes(".")) return text;
  const [head = "", tail = ""] = text.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
}
