// What a place must be like for somebody on the waiting list to be called about it, and when: no database.
import { nextAllowedInstant, type CallingHours } from "../agents/calling-hours.ts";
import { isSimulatedDemo, type Config } from "../config/schema.ts";
import { calleeZones } from "../core/callee-zone.ts";
import { MINUTE_MS } from "../core/clock.ts";
import { instantOf } from "../core/zones.ts";
import type { Agent } from "../agents/records.ts";
import type { BookingWindow, DaySession } from "../calendar/records.ts";
import type { TimeWish } from "../calendar/desk-port.ts";
import type { WaitingEntry } from "./records.ts";

export type WaitingSettings = Config["waiting_list"] & {
  /** Calling hours hold nothing in a demo. */
  isDemo?: boolean;
};

export const waitingSettings = (config: Config): WaitingSettings => ({
  ...config.waiting_list,
  isDemo: isSimulatedDemo(config),
});

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** The agent's own hours, or those of the waiting list. Null: at any time. */
export function hoursFor(
  { calling_hours }: Pick<Agent, "calling_hours">,
  settings: WaitingSettings,
): CallingHours | null {
  if (settings.isDemo) return null;
  if (calling_hours !== null) return calling_hours;
  const [start, end] = settings.calling_hours;
  return start === end ? null : { start, end, days: EVERY_DAY };
}

/** The first moment from now on at which this number may be called; null where there is none. */
export const callableAt = (hours: CallingHours | null, contactNumber: string, now: number): number | null =>
  hours === null ? now : nextAllowedInstant(hours, calleeZones(contactNumber), now);

/** Until when somebody can be asked about a place: later nobody could come. */
export function askableUntil(
  { start_time }: Pick<BookingWindow, "start_time">,
  date: string,
  zone: string,
  settings: WaitingSettings,
): number {
  return instantOf(date, minuteOfDay(start_time), zone) - settings.least_minutes_ahead * MINUTE_MS;
}

/** Whether the place is one that they wait for. */
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

/** What a caller named in words: a part of the day, or a time of it. */
export function sessionsWished(wish: TimeWish | null): DaySession[] {
  if (wish?.partOfDay) return [OF_PART[wish.partOfDay]];
  return [];
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
