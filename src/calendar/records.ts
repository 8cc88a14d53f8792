// Row types of windows, appointments, closures and feeds.
import type { Row } from "../db/tables.ts";

export type Appointment = Row<"appointments">;
export type AppointmentType = Row<"appointment_types">;
export type BookingWindow = Row<"windows">;
export type CalendarFeed = Row<"calendar_feeds">;
export type Closure = Row<"closures">;
export type ClosurePerson = Row<"closure_people">;
export type WindowDate = Row<"window_dates">;

export type AppointmentStatus = Appointment["status"];
export type ClosureState = Closure["state"];
export type DaySession = BookingWindow["session"];
export type WindowStatus = BookingWindow["status"];
