// When a delivery is tried: the contract's schedule as data, and the limits that go with it.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";

/** How long after the attempt before; the first is immediate. Five in all. */
export const RETRY_DELAYS_MS = [0, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

export const MOST_ATTEMPTS = RETRY_DELAYS_MS.length;

/** To the end of the response. */
export const ATTEMPT_TIMEOUT_MS = 8 * SECOND_MS;

/** Consecutive failed attempts, retries included, after which an endpoint is switched off. */
export const FAILURES_UNTIL_DISABLED = 50;

/** A fault of our own does not use up an attempt; the same one is made again after this. */
export const OUR_FAULT_PAUSE_MS = 30 * SECOND_MS;

/** How long both secrets sign after a rotation. */
export const ROTATION_OVERLAP_MS = 24 * HOUR_MS;

/** The delay before attempt number `attempts + 1`, or null where there is none. */
export function nextDelayMs(attempts: number): number | null {
  return RETRY_DELAYS_MS[attempts] ?? null;
}
