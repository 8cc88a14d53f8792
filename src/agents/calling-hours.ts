// Calling hours of an agent, in the callee's time zone.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalidField } from "../core/errors.ts";
import { MINUTE_MS } from "../core/clock.ts";
import { addDays, instantOf, wallTime, weekdayOf, type WallTime } from "../core/zones.ts";

const clockTime = Type.String({
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
  description: "HH:MM",
  allowed: "a time as HH:MM",
});

export const CallingHoursSchema = Type.Object({
  start: clockTime,
  end: clockTime,
  days: Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: "Days of the week, 0 is Sunday.",
  }),
});
export type CallingHours = Static<typeof CallingHoursSchema>;

export function checkedCallingHours(value: unknown): CallingHours | null {
  if (value === null || value === undefined) return null;
  if (!Value.Check(CallingHoursSchema, value)) {
    throw invalidField(
      "calling_hours",
      'calling_hours must be { "start": "HH:MM", "end": "HH:MM", "days": [0 to 6, 0 is Sunday] }.',
    );
  }
  if (value.start >= value.end)
    throw invalidField("calling_hours", "calling_hours.start must be before calling_hours.end.");
  return { start: value.start, end: value.end, days: value.days };
}

/** Hours of agents and of rules. */
export interface OpenHours {
  start: string;
  end: string;
  days: readonly number[];
  /** Closed dates, as YYYY-MM-DD, or MM-DD for every year. */
  daysOff?: readonly string[];
}

/** Intersection of both; without days if they never overlap. */
export function commonHours(one: OpenHours | null, other: OpenHours | null): OpenHours | null {
  if (one === null || other === null) return one ?? other;
  const start = one.start > other.start ? one.start : other.start;
  const end = one.end < other.end ? one.end : other.end;
  const daysOff = [...(one.daysOff ?? []), ...(other.daysOff ?? [])];
  const days = start < end ? one.days.filter((day) => other.days.includes(day)) : [];
  return { start, end, days, ...(daysOff.length > 0 && { daysOff }) };
}

/**
 * The first instant from `now` on at which every zone is within the hours; `now` itself if it qualifies. Null if the
 * hours of the zones never overlap, or if there are none.
 */
export function nextAllowedInstant(hours: OpenHours, zones: readonly string[], now: number): number | null {
  if (hours.days.length === 0) return null;
  let instant = now;
  // Each pass moves to the latest opening of all zones.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    if (zones.every((zone) => isOpen(hours, wallTime(instant, zone)))) return instant;
    const openings = zones.map((zone) => nextOpening(hours, zone, instant));
    if (openings.includes(null)) return null;
    const latest = Math.max(...openings.filter((opening) => opening !== null));
    if (latest === instant) return instant;
    instant = latest;
  }
  return null;
}

/** Two for each day ahead. */
const MOST_DAYS_AHEAD = 14;
const MOST_PASSES = 2 * MOST_DAYS_AHEAD;

function isOpen({ start, end, days, daysOff = [] }: OpenHours, { date, minuteOfDay, weekday }: WallTime): boolean {
  if (!days.includes(weekday) || minuteOfDay < minutes(start) || minuteOfDay >= minutes(end)) return false;
  return !isDayOff(daysOff, date);
}

const isDayOff = (daysOff: readonly string[], date: string): boolean =>
  daysOff.includes(date) || daysOff.includes(date.slice(5));

function nextOpening(hours: OpenHours, zone: string, now: number): number | null {
  const today = wallTime(now, zone).date;
  for (let offset = 0; offset <= MOST_DAYS_AHEAD; offset++) {
    const date = addDays(today, offset);
    if (!hours.days.includes(weekdayOf(date)) || isDayOff(hours.daysOff ?? [], date)) continue;
    const opens = instantOf(date, minutes(hours.start), zone);
    const closes = instantOf(date, minutes(hours.end), zone);
    if (now >= closes) continue;
    const at = Math.max(now, opens);
    // In autumn the clock may be set back behind the opening: the hours open a second time.
    const early = minutes(hours.start) - wallTime(at, zone).minuteOfDay;
    return early > 0 ? at + early * MINUTE_MS : at;
  }
  return null;
}

function minutes(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}
