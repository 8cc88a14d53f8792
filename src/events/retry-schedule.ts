// When a delivery is tried: the contract's schedule as data, and the limits that go with it.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";

/** How long after the attempt before; the first is immediate. Five in all. */
export const RETRY_DELAYS_MS = [0, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** Nothing is ever planned further ahead. */
export const LONGEST_DELAY_MS = Math.max(...RETRY_DELAYS_MS);

export const MOST_ATTEMPTS = RETRY_DELAYS_MS.length;

/** To the end of the response. */
export const ATTEMPT_TIMEOUT_MS = 8 * SECOND_MS;

/** Consecutive failed attempts, retries included, after which an endpoint is switched off. */
export const FAILURES_UNTIL_DISABLED = 50;

/**
 * While our own side is at fault, one delivery of the endpoint is tried after each of these, and the last over and
 * over: soon enough that a resolver's restart delays little, seldom enough that a night without network costs 600
 * tries.
 */
const PROBE_PAUSES_MS = [5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS] as const;
export const LONGEST_PROBE_PAUSE_MS = MINUTE_MS;

/**
 * What only one delivery meets, e.g. an event that cannot be built, steps back this long: others are tried meanwhile.
 */
export const STEP_BACK_MS = 10 * MINUTE_MS;

/** Five for each of the last replays. */
export const MOST_ATTEMPTS_KEPT = 5 * MOST_ATTEMPTS;

/** How long both secrets sign after a rotation. */
export const ROTATION_OVERLAP_MS = 24 * HOUR_MS;

/** The delay before attempt number `attempts + 1`, or null where there is none. */
export function nextDelayMs(attempts: number): number | null {
  return RETRY_DELAYS_MS[attempts] ?? null;
}

/** How long after the `probes`-th try in an outage the next one is made. */
export function probePauseMs(probes: number): number {
  return PROBE_PAUSES_MS[probes - 1] ?? LONGEST_PROBE_PAUSE_MS;
}
