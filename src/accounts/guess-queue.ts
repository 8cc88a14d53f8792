// How many tries all strangers together get at one person's password, and all of one address at anybody's, and in which
// order. Whoever has to be sent away is given a position and finds it kept at the time they were told, so it does not
// help to ask every second: an attacker's addresses and the right person on a new phone are served by turns.
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";

interface Lane {
  burst: number;
  everyMs: number;
}
const LANES = {
  /**
   * Addresses that did not try this person's password within a day: a new phone, a hotel, or a botnet's next member.
   */
  new: { burst: 20, everyMs: DAY_MS / 2_880 },
  /** Addresses that did. They cannot use up what the others get: to keep newcomers waiting, one needs new addresses. */
  failed: { burst: 20, everyMs: DAY_MS / 1_440 },
  /**
   * One address at the passwords of people who did not sign in from there yet: 8,640 a day, however many people it
   * tries.
   */
  strangersThere: { burst: 100, everyMs: 10 * SECOND_MS },
  /**
   * And of people who did: a ward behind one address is never behind the stranger's next thousand, only behind its own.
   */
  peopleThere: { burst: 100, everyMs: 5 * SECOND_MS },
} satisfies Record<string, Lane>;

/**
 * In one lane. The last of them waits for 8 hours among new addresses, for 17 among the others, and for 3 at one
 * address.
 */
const MOST_IN_LINE = 1_000;
/** People are late. It adds no tries to a day but those of this half hour. */
const KEPT_FOR_MS = 30 * MINUTE_MS;
/**
 * Bounds memory against a flood of invented e-mail addresses, at 300 bytes each; the longest silent are forgotten
 * first. A position is given only after a burst from other addresses, so one address cannot push anybody's position
 * out.
 */
const MOST_REMEMBERED = 20_000;

interface Given {
  at: number;
  laneKey: string;
  everyMs: number;
}

export interface Position {
  at: number;
  /** For somebody who is sent away until then. False where the line is too long to join. */
  keep: () => boolean;
  take: () => void;
  /** It was the right password, which costs nobody a try. */
  giveBack: () => void;
}

export function createGuessQueue() {
  /** When each lane will be as good as unused. */
  const lanes = new Map<string, number>();
  /** By person and address. */
  const kept = new Map<string, Given>();

  const keptFor = (key: string, now: number): Given | undefined => {
    const position = kept.get(key);
    return position && now <= position.at + KEPT_FOR_MS ? position : undefined;
  };

  return {
    /** `key` is one person at one address, `whose` the person or the address that has the lane. */
    positionFor(key: string, whose: string, kind: keyof typeof LANES, now: number): Position {
      const { burst, everyMs } = LANES[kind];
      const laneKey = `${kind} ${whose}`;
      const own = keptFor(key, now);
      const unusedAt = Math.max(now, lanes.get(laneKey) ?? now);
      const position = own ?? { at: Math.max(now, unusedAt - (burst - 1) * everyMs), laneKey, everyMs };
      return {
        at: position.at,
        keep() {
          if (own) return true;
          if (position.at - now > MOST_IN_LINE * everyMs) return false;
          remember(lanes, laneKey, unusedAt + everyMs);
          remember(kept, key, position);
          return true;
        },
        take() {
          kept.delete(key);
          if (!own) remember(lanes, laneKey, unusedAt + everyMs);
        },
        giveBack() {
          const used = lanes.get(position.laneKey);
          if (used !== undefined) lanes.set(position.laneKey, used - position.everyMs);
        },
      };
    },
  };
}

export function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  if (map.size >= MOST_REMEMBERED) {
    const [longestSilent] = map.keys();
    if (longestSilent !== undefined) map.delete(longestSilent);
  }
  map.set(key, value);
}
