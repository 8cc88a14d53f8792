// Concurrency limit per endpoint by AIMD (additive increase, multiplicative decrease), as in TCP congestion control: it
// grows while responses stay fast and is halved on overload. Pure: no clock, no database.
import { SECOND_MS } from "../core/clock.ts";
import type { AttemptOutcome } from "./records.ts";

/** Enough for 80 events a second to a receiver 100 ms away, few enough not to overload an unknown one. */
export const FIRST_PLACES = 8;
/** At least one delivery is always tried, so recovery of an endpoint is noticed. */
export const LEAST_PLACES = 1;
/**
 * 320 events a second to a receiver 100 ms away, far more than a hospital sends; each place is a connection at the
 * receiver.
 */
export const MOST_PLACES = 32;

/** A receiver that usually answers within this time frees its places almost immediately. */
const AT_ONCE_MS = 20;
/** Deliveries prefetched per place. With one, they were used up before a group of attempts was stored. */
export const AHEAD_PER_PLACE = 2;
/** Faster responses are never slow: queues this short resolve by themselves. */
const QUICK_MS = SECOND_MS / 2;
/** A response slower than the usual time by this factor is slow: the receiver is overloaded. */
const SLOW_FACTOR = 3;
/** Smoothing factor of the usual time for slower responses; it follows faster ones immediately. */
const FOLLOW_SHARE = 0.02;
/** Upper bound of Retry-After; after it, rejected deliveries are retried too. */
const LONGEST_PAUSE_MS = 30 * SECOND_MS;

/** Fields of an attempt that affect the pace. */
export interface Answered {
  outcome: AttemptOutcome;
  status: number | null;
  durationMs: number;
}

type Sign = "good" | "overloaded" | "none";

/** What one attempt says about the receiver's load. Internal faults and responses such as 404 or 500 say nothing. */
function signOf({ outcome, status }: Answered): Sign {
  if (outcome === "timeout" || outcome === "unreachable") return "overloaded";
  if (outcome === "refused") return status === 429 || status === 503 ? "overloaded" : "none";
  return outcome === "delivered" ? "good" : "none";
}

export interface Ticket {
  round: number;
}

export class Pace {
  #places = FIRST_PLACES;
  #goodSinceRaise = 0;
  #usualMs: number | null = null;
  /** Number of cuts. An attempt that began before the last cut says nothing about the current limit. */
  #round = 0;

  get places(): number {
    return this.#places;
  }

  /** Deliveries that may be handed over before a place is free, for a receiver that answers immediately. */
  get ahead(): number {
    return this.#usualMs !== null && this.#usualMs <= AT_ONCE_MS ? AHEAD_PER_PLACE * this.#places : 0;
  }

  /** A delivery handed over early found no place in time. */
  madeWait(): void {
    this.#usualMs = Math.max(this.#usualMs ?? 0, 2 * AT_ONCE_MS);
  }

  begin(): Ticket {
    return { round: this.#round };
  }

  /** `wasFull`: every place was taken during the attempt. Unused places do not raise the limit. */
  end(ticket: Ticket, attempt: Answered, wasFull: boolean): void {
    const sign = signOf(attempt);
    const isSlow = attempt.status !== null && this.#isSlow(attempt.durationMs);
    if (sign === "overloaded" || isSlow) {
      if (ticket.round === this.#round) this.#cut();
    } else if (sign === "good" && wasFull) this.#raise();
  }

  #isSlow(durationMs: number): boolean {
    const usualMs = this.#usualMs ?? durationMs;
    this.#usualMs = durationMs < usualMs ? durationMs : usualMs + (durationMs - usualMs) * FOLLOW_SHARE;
    return durationMs > QUICK_MS && durationMs > usualMs * SLOW_FACTOR;
  }

  #cut(): void {
    this.#places = Math.max(LEAST_PLACES, Math.floor(this.#places / 2));
    this.#goodSinceRaise = 0;
    this.#round += 1;
  }

  /** Adds one place after as many good responses as there are places. */
  #raise(): void {
    this.#goodSinceRaise += 1;
    if (this.#goodSinceRaise < this.#places) return;
    this.#goodSinceRaise = 0;
    this.#places = Math.min(MOST_PLACES, this.#places + 1);
  }
}

/** Pause requested by Retry-After (RFC 9110, section 10.2.3: seconds or a date); null if absent or malformed. */
export function pauseMs(retryAfter: string | null | undefined, now: number): number | null {
  if (retryAfter === null || retryAfter === undefined) return null;
  const isDate = /^[A-Z][a-z]+,? .+ GMT$/.test(retryAfter);
  if (!isDate && !/^[0-9]{1,9}$/.test(retryAfter)) return null;
  const ms = isDate ? Date.parse(retryAfter) - now : Number(retryAfter) * SECOND_MS;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS);
}
