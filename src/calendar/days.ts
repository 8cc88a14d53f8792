// Days of the week, date ranges, and whether a session is over, all in the branch's local time.
import { DAY_MS, type Clock } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { addDays, hasOneOffset, instantOf, wallTime, weekdayOf } from "../core/zones.ts";
import { DAYS, type Day } from "../payloads/slot.ts";
import { minuteOf } from "./moments.ts";
import { isCalendarDate } from "./slot-id.ts";

export const SESSIONS = ["Morning", "Afternoon", "Evening"] as const;

/** From the API contract: most days in a query. */
export const MOST_DAYS = 92;
const DEFAULT_DAYS_AHEAD = 14;

export interface DateRange {
  from: string;
  to: string;
}

export function dayOf(date: string): Day {
  return DAYS[weekdayOf(date)] ?? "sunday";
}

/** Both ends are inclusive. The default is today and the next 14 days. */
export function dateRange(input: { from?: string | undefined; to?: string | undefined }, today: string): DateRange {
  const from = checkedDate("from", input.from ?? today);
  const to = checkedDate("to", input.to ?? addDays(from, DEFAULT_DAYS_AHEAD));
  if (to < from) throw invalidField("to", "to must not lie before from.");
  if (daysBetween(from, to) >= MOST_DAYS) throw invalidField("to", `A query covers at most ${MOST_DAYS} days.`);
  return { from, to };
}

/** A range from today to an end that is already validated; empty if the end is in the past. */
export function rangeFrom(today: string, to: string | undefined): DateRange {
  return { from: today, to: to ?? addDays(today, DEFAULT_DAYS_AHEAD) };
}

/** The dates in a range that fall on `day`. */
export function datesOn(day: string, { from, to }: DateRange): string[] {
  const offset = (DAYS.indexOf(day as Day) - weekdayOf(from) + 7) % 7;
  const last = daysBetween(from, to);
  const dates: string[] = [];
  // Counts days instead of comparing dates: 9999-12-31 is followed by +010000-01-01, which sorts before it.
  for (let days = offset; days <= last; days += 7) dates.push(addDays(from, days));
  return dates;
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export interface LocalNow {
  date: string;
  /** HH:MM */
  time: string;
  /** The instant of this wall-clock time, and its zone. */
  at: number;
  zone: string;
  /** Whether the UTC offset changes today, yesterday or tomorrow. */
  isChanging: boolean;
}

export function localNow(clock: Clock, zone: string): LocalNow {
  const at = clock.now();
  const { date, minuteOfDay } = wallTime(at, zone);
  const pad = (value: number) => String(value).padStart(2, "0");
  return {
    date,
    time: `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`,
    at,
    zone,
    isChanging: !hasOneOffset(date, zone),
  };
}

/** A session that has ended takes no more bookings. In a repeated hour it ends at the first occurrence. */
export function isOver(date: string, endTime: string, now: LocalNow): boolean {
  if (date !== now.date) return date < now.date;
  return endTime <= now.time || (now.isChanging && instantOf(date, minuteOf(endTime), now.zone) <= now.at);
}

function checkedDate(field: string, text: string): string {
  if (!isCalendarDate(text)) throw invalidField(field, `${field} must be a date as YYYY-MM-DD.`);
  return text;
}
