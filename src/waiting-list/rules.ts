// Rules of the waiting list: which slots suit a person, and when they may be called. Pure, without a database.
import { nextAllowedInstant, type CallingHours } from "../agents/calling-hours.ts";
import type { Config } from "../config/schema.ts";
import { calleeZones } from "../core/callee-zone.ts";
import { MINUTE_MS } from "../core/clock.ts";
import { instantOf } from "../core/zones.ts";
import type { Agent } from "../agents/records.ts";
import type { BookingWindow, DaySession } from "../calendar/records.ts";
import type { TimeWish } from "../calendar/desk-port.ts";
import type { WaitingEntry } from "./records.ts";

export type WaitingSettings = Config["waiting_list"] & {
  /** See `rules.enforce`. */
  hoursAreEnforced: boolean;
};

export const waitingSettings = (config: Config): WaitingSettings => ({
  ...config.waiting_list,
  hoursAreEnforced: config.rules.enforce,
});

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** The agent's calling hours, or those of the waiting list. Null means any time. */
export function hoursFor(
  { calling_hours }: Pick<Agent, "calling_hours">,
  settings: WaitingSettings,
): CallingHours | null {
  if (!settings.hoursAreEnforced) return null;
  if (calling_hours !== null) return calling_hours;
  const [start, end] = settings.calling_hours;
  return start === end ? null : { start, end, days: EVERY_DAY };
}

type Called = Pick<WaitingEntry, "contact_number" | "contact_time_zone" | "contact_region">;

/** First moment from now on at which this person may be called; null if there is none. */
export function callableAt(hours: CallingHours | null, entry: Called, now: number): number | null {
  if (hours === null) return now;
  const place = { timeZone: entry.contact_time_zone, region: entry.contact_region };
  return nextAllowedInstant(hours, calleeZones(entry.contact_number, place), now);
}

/** Latest time to call about a slot; later the person could not come in time. */
export function askableUntil(
  { start_time }: Pick<BookingWindow, "start_time">,
  date: string,
  zone: string,
  settings: WaitingSettings,
): number {
  return instantOf(date, minuteOfDay(start_time), zone) - settings.least_minutes_ahead * MINUTE_MS;
}

/** Whether the slot matches the entry. */
export function suits(
  entry: Pick<WaitingEntry, "branch_id" | "appointment_type_id" | "from_date" | "to_date" | "sessions">,
  window: Pick<BookingWindow, "branch_id" | "appointment_type_id" | "session">,
  date: string,
): boolean {
  const isService =
    window.appointment_type_id === null ||
    entry.appointment_type_id === null ||
    window.appointment_type_id === entry.appointment_type_id;
  return (
    entry.branch_id === window.branch_id &&
    isService &&
    entry.from_date <= date &&
    date <= entry.to_date &&
    (entry.sessions.length === 0 || entry.sessions.includes(window.session))
  );
}

const OF_PART: Readonly<Record<NonNullable<TimeWish["partOfDay"]>, DaySession>> = {
  morning: "Morning",
  afternoon: "Afternoon",
  evening: "Evening",
};

/** Session for the part of the day that a caller named; empty if none. */
export function sessionsWished(wish: TimeWish | null): DaySession[] {
  if (wish?.partOfDay) return [OF_PART[wish.partOfDay]];
  return [];
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
