// How many deliveries may be under way to one endpoint at once: more while its answers stay quick, half as many as soon
// as it is overloaded (additive increase, multiplicative decrease, as TCP finds its share of a line). Pure: no clock,
// no database.
import { SECOND_MS } from "../core/clock.ts";
import type { AttemptOutcome } from "./records.ts";

/**
 * Enough to keep a receiver 100 ms away busy with 80 events a second, few enough not to knock over one that was never
 * met.
 */
export const FIRST_PLACES = 8;
/** One is always tried, so that an endpoint that has recovered is noticed. */
export const LEAST_PLACES = 1;
/**
 * 320 events a second to a receiver 100 ms away, far more than a hospital has; every place is a connection of the
 * receiver's.
 */
export const MOST_PLACES = 32;

/** Who usually answers within that has hardly a place that is not free again at once. */
const AT_ONCE_MS = 20;
/** A group of attempts is written down meanwhile: with one for each place they were used up before that was over. */
export const AHEAD_PER_PLACE = 2;
/** What is quicker is never called slow: queues this short come and go by themselves. */
const QUICK_MS = SECOND_MS / 2;
/** So many times the receiver's usual time is slow: it has more to do at once than it can. */
const SLOW_FACTOR = 3;
/** By this share of the difference the usual time follows slower answers; quicker ones it follows at once. */
const FOLLOW_SHARE = 0.02;
/** Nothing waits longer because the receiver asks for it: after that even what it refused is tried again. */
const LONGEST_PAUSE_MS = 30 * SECOND_MS;

/** What is looked at of an attempt. */
export interface Answered {
  outcome: AttemptOutcome;
  status: number | null;
  durationMs: number;
}

type Sign = "good" | "overloaded" | "none";

/**
 * What one attempt tells about the receiver's strength. Our own faults tell nothing, nor does an answer such as 404 or
 * 500.
 */
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
  /** Counts the cuts. What began before the last one says nothing about the places that are left. */
  #round = 0;

  get places(): number {
    return this.#places;
  }

  /** So many more may be handed over before their place is free: to a receiver that keeps nobody waiting. */
  get ahead(): number {
    return this.#usualMs !== null && this.#usualMs <= AT_ONCE_MS ? AHEAD_PER_PLACE * this.#places : 0;
  }

  /** One that was handed over found no place in time. */
  madeWait(): void {
    this.#usualMs = Math.max(this.#usualMs ?? 0, 2 * AT_ONCE_MS);
  }

  begin(): Ticket {
    return { round: this.#round };
  }

  /** `wasFull`: every place was taken meanwhile. Unused places are no reason for more. */
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

  /** One place more for as many good answers as there are places. */
  #raise(): void {
    this.#goodSinceRaise += 1;
    if (this.#goodSinceRaise < this.#places) return;
    this.#goodSinceRaise = 0;
    this.#places = Math.min(MOST_PLACES, this.#places + 1);
  }
}

/**
 * How long a receiver asks us to wait (RFC 9110, section 10.2.3: seconds, or a date); null where it does not, or not
 * plainly.
 */
export function pauseMs(retryAfter: string | null | undefined, now: number): number | null {
  if (retryAfter === null || retryAfter === undefined) return null;
  const isDate = /^[A-Z][a-z]+,? .+ GMT$/.test(retryAfter);
  if (!isDate && !/^[0-9]{1,9}$/.test(retryAfter)) return null;
  const ms = isDate ? Date.parse(retryAfter) - now : Number(retryAfter) * SECOND_MS;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS);
}
