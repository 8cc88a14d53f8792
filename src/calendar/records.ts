// Row types of windows, appointments, closures and feeds.
import type { Row } from "../db/tables.ts";

export type Appointment = Row<"appointments">;
export type AppointmentType = Row<"appointment_types">;
export type Branch = Row<"branches">;
export type BookingWindow = Row<"windows">;
export type CalendarFeed = Row<"calendar_feeds">;
export type Closure = Row<"closures">;
export type ClosurePerson = Row<"closure_people">;
export type WindowDate = Row<"window_dates">;

export type AppointmentStatus = Appointment["status"];
export type ClosureState = Closure["state"];
export type DaySession = BookingWindow["session"];
export type WindowStatus = BookingWindow["status"];

/** Source columns of an appointment that no system of the hospital knows. */
export const NO_SOURCE = {
  source_id: null,
  external_id: null,
  source_changed_at: null,
  contact_changed_at: null,
  practitioner_id: null,
  practitioner_name: null,
  wish: null,
  wished_at: null,
  wish_call_id: null,
  wish_text: null,
  wish_state: null,
} as const satisfies Partial<Appointment>;
