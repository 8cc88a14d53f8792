// Limits of calls to one number: how many were made, and when the next is allowed. A day is a day of the callee's
// calendar, and a week is that day and the six days before. Where the callee may be in several time zones, the limits
// hold in each. Pure.
import { addDays, instantOf, wallTime } from "../../core/zones.ts";

export interface CallLimits {
  /** Null: no limit. */
  perDay: number | null;
  perWeek: number | null;
}

export interface DialCounts {
  day: number;
  week: number;
}

const DAYS_OF_WEEK = 7;
const NO_CALLS: DialCounts = { day: 0, week: 0 };

/** Calls before `now`; the most of any zone. */
export function countsAt(dials: readonly number[], zones: readonly string[], now: number): DialCounts {
  if (dials.length === 0) return NO_CALLS;
  const counts = zones.map((zone) => countsIn(dials, zone, now));
  const most = (of: (each: DialCounts) => number) => Math.max(0, ...counts.map(of));
  return { day: most(({ day }) => day), week: most(({ week }) => week) };
}

function countsIn(dials: readonly number[], zone: string, now: number): DialCounts {
  const today = wallTime(now, zone).date;
  const before = addDays(today, -DAYS_OF_WEEK);
  // Calls dated later than today were made before the clock was set back; they count.
  const dates = dials.map((at) => wallTime(at, zone).date).filter((date) => date > before);
  return { day: dates.filter((date) => date >= today).length, week: dates.length };
}

/** The first moment from `now` on at which one more call is allowed; null if there is none within a week. */
export function allowedByLimits(
  { perDay, perWeek }: CallLimits,
  dials: readonly number[],
  zones: readonly string[],
  now: number,
): number | null {
  const isAllowed = (at: number) => {
    const { day, week } = countsAt(dials, zones, at);
    return (perDay === null || day < perDay) && (perWeek === null || week < perWeek);
  };
  if (isAllowed(now)) return now;
  const midnights = zones.flatMap((zone) => {
    const today = wallTime(now, zone).date;
    return Array.from({ length: DAYS_OF_WEEK }, (_, index) => instantOf(addDays(today, index + 1), 0, zone));
  });
  return midnights.toSorted((a, b) => a - b).find(isAllowed) ?? null;
}
