// Calendar events of a branch's windows and closed days: one per window and date, with the number of bookings.
import { instantOf } from "../../core/zones.ts";
import type { Appointment, CalendarFeed, Closure } from "../records.ts";
import { minuteOf } from "../moments.ts";
import type { WindowOnDate } from "../window-dates.ts";
import type { CalendarEvent } from "./calendar-text.ts";
import { toldOf } from "./feed-people.ts";

export interface BranchDays {
  zone: string;
  branch: string;
  serviceName: (id: string) => string | null;
  places: readonly WindowOnDate[];
  expected: readonly Appointment[];
  closures: readonly Closure[];
}

export function feedEvents(people: CalendarFeed["people"], days: BranchDays): CalendarEvent[] {
  const byPlace = Map.groupBy(days.expected, ({ window_id, date }) => `${window_id} ${date}`);
  const windows = days.places
    // Omits a closed window without bookings.
    .filter(({ capacity }) => capacity.status === "OPEN" || capacity.filled > 0)
    .map((place) => windowEvent(people, days, place, byPlace.get(`${place.window.calendar_id} ${place.date}`) ?? []));
  return [...windows, ...days.closures.map(closureEvent)];
}

function windowEvent(
  people: CalendarFeed["people"],
  { zone, branch, serviceName }: BranchDays,
  { window, date, capacity }: WindowOnDate,
  booked: readonly Appointment[],
): CalendarEvent {
  const service = window.appointment_type === null ? null : serviceName(window.appointment_type);
  const what = [
    window.session,
    ...(service === null ? [] : [service]),
    ...(window.batch === null ? [] : [window.batch]),
  ];
  const told = booked.flatMap((row) => toldOf(people, row) ?? []);
  const closed = capacity.status === "CLOSED" ? " (closed)" : "";
  const changes = [Date.parse(window.updated_at), ...booked.map(({ updated_at }) => updated_at)];
  return {
    uid: `${window.calendar_id}-${date}@ringward`,
    changedAt: Math.max(...changes),
    summary: `${what.join(" · ")}: ${capacity.filled} of ${capacity.maxSlots} booked${closed}`,
    description: told.length === 0 ? undefined : told.join("\n"),
    location: branch,
    when: {
      from: instantOf(date, minuteOf(window.start_time), zone),
      to: instantOf(date, minuteOf(window.end_time), zone),
    },
    isBusy: capacity.filled > 0,
  };
}

function closureEvent({ id, name, from_date, to_date, updated_at }: Closure): CalendarEvent {
  return {
    uid: `${id}@ringward`,
    changedAt: updated_at,
    summary: name === null ? "Closed" : `Closed: ${name}`,
    when: { firstDay: from_date, lastDay: to_date },
    isBusy: false,
  };
}
