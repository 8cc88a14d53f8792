// How fast passwords may be tried, as figures and bookkeeping without a timer: each try is given the time it has to
// wait, or refused where the wait is longer than a request can be held.
//
// What an attacker gets on one person's password in a day (test/accounts/guess-pace.test.ts holds the figures):
//   one address            about 300: 3 at once, then pauses that double from 1 s to 5 min
// one address, at all about 8,700 together, however many people it tries; of people who signed in from there 17,400
//   10,000 addresses       about 4,400: 2,900 from addresses new to this person, 1,500 from those that tried before
// A list of the 100,000 most common passwords takes such a botnet three weeks, a random password of ten letters for
// ever.
import { DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { createGuessQueue, remember } from "./guess-queue.ts";

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

/** An address stays one that has tried, whatever was forgiven, until it has been silent for this long. */
const KNOWN_FOR_MS = DAY_MS;

export type Turn = { waitMs: number; took: () => void } | { refusedForMs: number };

/** A request is held for `longestHeldMs` at most. Time is what has elapsed: setting the clock changes nobody's turn. */
export function createGuessPace(clock: Clock, longestHeldMs = LONGEST_HELD_MS) {
  const pauses = new Map<string, Pauses>();
  const queue = createGuessQueue();
  /** A queue of its own: the positions of one address cannot push out those of people. */
  const sources = createGuessQueue();
  /** Who gave the right password from where, since the start. */
  const peopleThere = new Map<string, true>();

  const pausesOf = (key: string, now: number): Pauses | undefined => {
    const found = pauses.get(key);
    if (!found || now - found.seenAt > KNOWN_FOR_MS) return undefined;
    const forgiven = Math.max(0, Math.floor((now - found.lastAt) / FORGIVEN_AFTER_MS));
    return { ...found, failures: Math.max(0, found.failures - forgiven), seenAt: now };
  };

  return {
    /**
     * Counts the try as failed before it is made: a hundred that arrive together would otherwise all be let through.
     */
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
        // A position given counts as a try: addresses that never come back for theirs cannot stay new and fill the
        // line.
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
  /** When the last try was made, for forgiving. */
  lastAt: number;
  /** When one was last made or asked for. */
  seenAt: number;
}

function pauseAfterMs(failures: number, freeTries: number): number {
  return failures < freeTries ? 0 : Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** Math.min(failures - freeTries, 20));
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
