// Rate limits for password attempts: by all strangers on one person's password, and by one address on any password. A
// refused client gets a reserved position that stays valid at the announced time. Polling gains nothing, and an
// attacker's addresses and the real person on a new phone are served in turn.
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
  /** Addresses that did. They have their own quota, so keeping newcomers waiting takes new addresses. */
  failed: { burst: 20, everyMs: DAY_MS / 1_440 },
  /** One address, for people who have not signed in from there: 8,640 a day over all of them. */
  strangersThere: { burst: 100, everyMs: 10 * SECOND_MS },
  /** One address, for people who have signed in from there: a ward behind one address never queues behind strangers. */
  peopleThere: { burst: 100, everyMs: 5 * SECOND_MS },
} satisfies Record<string, Lane>;

/** Positions per lane. The last one waits 8 hours among new addresses, 17 among known ones, and 3 at one address. */
const MOST_IN_LINE = 1_000;
/** Grace period for late clients. It adds only the attempts of this half hour to a day. */
const KEPT_FOR_MS = 30 * MINUTE_MS;
/**
 * Bounds memory against a flood of fabricated e-mail addresses, at 300 bytes each; the least recently used are evicted
 * first. A position is reserved only after a burst from other addresses, so one address cannot evict another's
 * position.
 */
const MOST_REMEMBERED = 20_000;

interface Given {
  at: number;
  laneKey: string;
  everyMs: number;
}

export interface Position {
  at: number;
  /** Reserves the position for a refused client. False if the queue is full. */
  keep: () => boolean;
  take: () => void;
  /** Refunds the attempt after a correct password. */
  giveBack: () => void;
}

export function createGuessQueue() {
  /** When each lane will be fully replenished. */
  const lanes = new Map<string, number>();
  /** Keyed by person and address. */
  const kept = new Map<string, Given>();

  const keptFor = (key: string, now: number): Given | undefined => {
    const position = kept.get(key);
    return position && now <= position.at + KEPT_FOR_MS ? position : undefined;
  };

  return {
    /** `key` identifies one person at one address; `whose` is the person or the address that owns the lane. */
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
