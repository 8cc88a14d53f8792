// Exact sliding-window rate limit: at most N requests per key in any 60 seconds, with a ring of the last N times per
// key.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Limit } from "../config/schema.ts";
import type { Principal } from "./request-info.ts";

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

/** Counts a request of a key, and sets the headers of the limit. Throws RATE_LIMITED above it. */
export function countRequest(
  limiter: RateLimiter,
  { keyId, limits }: Principal,
  headers: Record<string, string | number>,
): void {
  const decision = limiter.take(keyId, limits.requests_per_minute);
  if (!decision) return;
  const resetSeconds = Math.ceil(decision.resetMs / SECOND_MS);
  headers["ratelimit-policy"] = `"requests";q=${limits.requests_per_minute};w=60`;
  headers["ratelimit"] = `"requests";r=${decision.remaining};t=${resetSeconds}`;
  if (decision.allowed) return;
  throw new AppError("RATE_LIMITED", `This API key may make ${limits.requests_per_minute} requests a minute.`, {
    retryAfterSeconds: resetSeconds,
  });
}
