// Due time of a reminder by its rule. All hours are in the branch's time zone, so they hold across midnight and
// daylight-saving changes.
import { minuteOf } from "../calendar/moments.ts";
import { HOUR_MS } from "../core/clock.ts";
import { addDays, instantOf, wallTime } from "../core/zones.ts";
import type { ReminderRule } from "./records.ts";

export type RuleTiming = Pick<
  ReminderRule,
  "timing" | "days_before" | "at_minute" | "hours_before" | "from_minute" | "to_minute"
>;

type Hours = Pick<ReminderRule, "from_minute" | "to_minute">;

export interface AppointmentTime {
  date: string;
  /** HH:MM */
  start_time: string;
}

/** A call moved to the evening before leaves this many minutes for a retry. */
const BEFORE_CLOSING_MINUTES = 60;

export function startsAt({ date, start_time }: AppointmentTime, zone: string): number {
  return instantOf(date, minuteOf(start_time), zone);
}

/** If the time `hours_before` the start is outside the rule's hours, uses the last of its hours before that. */
export function dueAt(rule: RuleTiming, appointment: AppointmentTime, zone: string): number {
  if (rule.timing === "day_before") {
    return instantOf(addDays(appointment.date, -rule.days_before), rule.at_minute, zone);
  }
  const wished = startsAt(appointment, zone) - rule.hours_before * HOUR_MS;
  const { date, minuteOfDay } = wallTime(wished, zone);
  if (isWithin(rule, minuteOfDay)) return wished;
  const last = Math.max(rule.from_minute, rule.to_minute - BEFORE_CLOSING_MINUTES);
  return instantOf(minuteOfDay < rule.from_minute ? addDays(date, -1) : date, last, zone);
}

/** First moment from `instant` on within the rule's hours. */
export function nextInHours(rule: Hours, instant: number, zone: string): number {
  const { date, minuteOfDay } = wallTime(instant, zone);
  if (isWithin(rule, minuteOfDay)) return instant;
  const day = minuteOfDay < rule.from_minute ? date : addDays(date, 1);
  return instantOf(day, rule.from_minute, zone);
}

function isWithin({ from_minute, to_minute }: Hours, minute: number): boolean {
  return minute >= from_minute && minute < to_minute;
}

/** 570 → "09:30" */
export function timeOf(minute: number): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}
