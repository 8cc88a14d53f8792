// Retry schedule of deliveries from the API contract, and its limits.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/clock.ts";

/** Delay after the previous attempt; the first is immediate. Five attempts in total. */
export const RETRY_DELAYS_MS = [0, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** No delivery is scheduled further ahead. */
export const LONGEST_DELAY_MS = Math.max(...RETRY_DELAYS_MS);

export const MOST_ATTEMPTS = RETRY_DELAYS_MS.length;

/** Until the end of the response. */
export const ATTEMPT_TIMEOUT_MS = 8 * SECOND_MS;

/** Consecutive failed attempts, including retries, until an endpoint is disabled. */
export const FAILURES_UNTIL_DISABLED = 50;

/**
 * Backoff between probes during an outage on our side; the last value repeats. Short enough that a resolver restart
 * delays little, long enough that a night without network costs 600 probes.
 */
const PROBE_PAUSES_MS = [5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS] as const;
export const LONGEST_PROBE_PAUSE_MS = MINUTE_MS;

/** Delay of a single faulty delivery, for example an event that cannot be built, so others are tried first. */
export const STEP_BACK_MS = 10 * MINUTE_MS;

/** Five for each of the latest replays. */
export const MOST_ATTEMPTS_KEPT = 5 * MOST_ATTEMPTS;

/** Overlap in which both secrets sign after a rotation. */
export const ROTATION_OVERLAP_MS = 24 * HOUR_MS;

/** The delay before attempt number `attempts + 1`, or null if there is none. */
export function nextDelayMs(attempts: number): number | null {
  return RETRY_DELAYS_MS[attempts] ?? null;
}

/** The pause after the `probes`-th probe of an outage. */
export function probePauseMs(probes: number): number {
  return PROBE_PAUSES_MS[probes - 1] ?? LONGEST_PROBE_PAUSE_MS;
}
