// How many calls a campaign makes now, and for when: each at its own time, so that they go out evenly and never faster
// than so many a minute. Pure.
import { MINUTE_MS, SECOND_MS } from "../core/clock.ts";

export interface PaceFacts {
  now: number;
  /** No call goes out earlier: the place of the next one. */
  nextCallAt: number;
  callsPerMinute: number;
  /** Calls of the campaign that were made and wait for a line. */
  notBegun: number;
}

export interface Portion {
  /** How many calls may be made now; 0 where lines are what it waits for. */
  most: number;
  /** When the call of this place goes out, from 0; that of `most` is the first of the next portion. */
  timeOf(place: number): number;
}

/** Each portion is for about this long: what a pause has to take back is little. */
const PORTION_MS = 5 * SECOND_MS;
/** One transaction stays short. */
export const MOST_PER_PORTION = 100;
/** More than these waiting for a line would hold up everybody's other calls. */
export const MOST_NOT_BEGUN = 100;
/** How soon to look again where lines are what it waits for. */
export const LOOK_AGAIN_MS = 2 * SECOND_MS;

export function portionOf({ now, nextCallAt, callsPerMinute, notBegun }: PaceFacts): Portion {
  // What was missed while nobody could call is not made up for: the pace is a promise to whoever answers the
  // telephones.
  const from = Math.max(now, nextCallAt);
  const wanted = Math.max(1, Math.round((callsPerMinute * PORTION_MS) / MINUTE_MS));
  const isTime = nextCallAt <= now;
  return {
    most: isTime ? Math.max(0, Math.min(wanted, MOST_PER_PORTION, MOST_NOT_BEGUN - notBegun)) : 0,
    timeOf: (place) => from + Math.ceil((place * MINUTE_MS) / callsPerMinute),
  };
}
