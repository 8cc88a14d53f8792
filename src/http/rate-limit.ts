// Exact sliding-window rate limit: at most N requests per key in any 60 seconds, with a ring of the last N times per
// key.
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import type { Limit } from "../config/schema.ts";

export interface RateDecision {
  allowed: boolean;
  remaining: number;
  /** Time until the oldest counted request leaves the window. */
  resetMs: number;
}

export interface RateLimiter {
  /** Counts the request if it is allowed; null if there is no limit. */
  take(keyId: string, limit: Limit): RateDecision | null;
}

interface Ring {
  times: Float64Array;
  taken: number;
}

export function createRateLimiter(clock: Clock, windowMs = MINUTE_MS): RateLimiter {
  const rings = new Map<string, Ring>();
  return {
    take(keyId, limit) {
      if (limit === "unlimited") return null;
      if (limit === 0) return { allowed: false, remaining: 0, resetMs: windowMs };
      let ring = rings.get(keyId);
      // A changed plan starts a fresh window.
      if (ring?.times.length !== limit)
        rings.set(keyId, (ring = { times: new Float64Array(limit).fill(-Infinity), taken: 0 }));

      const now = clock.now();
      const { times } = ring;
      const slot = ring.taken % limit;
      const oldest = times[slot] ?? -Infinity;
      // Otherwise a clock set back would lock the key out until it catches up.
      const age = now - oldest < 0 ? windowMs : now - oldest;
      if (age < windowMs) return { allowed: false, remaining: 0, resetMs: windowMs - age };

      times[slot] = now;
      ring.taken += 1;
      const live = times.reduce((count, time) => count + (now - time < windowMs && now - time >= 0 ? 1 : 0), 0);
      return { allowed: true, remaining: limit - live, resetMs: windowMs };
    },
  };
}
