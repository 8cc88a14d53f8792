// Pace of a campaign: how many calls to create now, and for which times. Calls are evenly spaced and never exceed the
// rate per minute. Pure.
import { MINUTE_MS, SECOND_MS } from "../core/clock.ts";

export interface PaceFacts {
  now: number;
  /** Earliest time of the next call. */
  nextCallAt: number;
  callsPerMinute: number;
  /** Created calls of the campaign that wait for a line. */
  notBegun: number;
}

export interface Portion {
  /** How many calls may be created now; 0 while waiting for lines. */
  most: number;
  /** Time of the call at this index, from 0; index `most` is the first of the next portion. */
  timeOf(place: number): number;
}

/** Each portion covers about this long, so a pause has few calls to hold. */
const PORTION_MS = 5 * SECOND_MS;
/** Keeps a transaction short. */
export const MOST_PER_PORTION = 100;
/** More calls waiting for a line would delay all other calls. */
export const MOST_NOT_BEGUN = 100;
/** Retry interval while waiting for lines. */
export const LOOK_AGAIN_MS = 2 * SECOND_MS;

export function portionOf({ now, nextCallAt, callsPerMinute, notBegun }: PaceFacts): Portion {
  // Missed calls are not made up for: the rate is a promise to the people who answer the telephones.
  const from = Math.max(now, nextCallAt);
  const wanted = Math.max(1, Math.round((callsPerMinute * PORTION_MS) / MINUTE_MS));
  const isTime = nextCallAt <= now;
  return {
    most: isTime ? Math.max(0, Math.min(wanted, MOST_PER_PORTION, MOST_NOT_BEGUN - notBegun)) : 0,
    timeOf: (place) => from + Math.ceil((place * MINUTE_MS) / callsPerMinute),
  };
}
