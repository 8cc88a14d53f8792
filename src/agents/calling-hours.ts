// Calling hours of an agent, in the callee's time zone.
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalidField } from "../core/errors.ts";
import { addDays, instantOf, wallTime, weekdayOf } from "../core/zones.ts";

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

/** Intersection of both; without days if they never overlap. */
export function commonHours(one: CallingHours | null, other: CallingHours | null): CallingHours | null {
  if (one === null || other === null) return one ?? other;
  const start = one.start > other.start ? one.start : other.start;
  const end = one.end < other.end ? one.end : other.end;
  return { start, end, days: start < end ? one.days.filter((day) => other.days.includes(day)) : [] };
}

/**
 * The first instant from `now` on at which every zone is within the hours; `now` itself if it qualifies. Null if the
 * hours of the zones never overlap, or if there are none.
 */
export function nextAllowedInstant(hours: CallingHours, zones: readonly string[], now: number): number | null {
  if (hours.days.length === 0) return null;
  let instant = now;
  // Each pass moves to the latest opening of all zones; passes for a week cover every possible overlap.
  for (let pass = 0; pass < 16; pass++) {
    const openings = zones.map((zone) => nextOpening(hours, zone, instant));
    const latest = Math.max(...openings);
    if (latest === instant) return instant;
    instant = latest;
  }
  return null;
}

function nextOpening(hours: CallingHours, zone: string, now: number): number {
  const today = wallTime(now, zone).date;
  for (let offset = 0; offset <= 7; offset++) {
    const date = addDays(today, offset);
    if (!hours.days.includes(weekdayOf(date))) continue;
    const opens = instantOf(date, minutes(hours.start), zone);
    const closes = instantOf(date, minutes(hours.end), zone);
    if (now < closes) return Math.max(now, opens);
  }
  throw new Error("Calling hours without a day.");
}

function minutes(text: string): number {
  const [hour = 0, minute = 0] = text.split(":").map(Number);
  return hour * 60 + minute;
}
