// Rows for the calendar's pure rules, with defaults that a test overrides.
import { NO_SOURCE } from "../../src/calendar/records.ts";
import type { Appointment, BookingWindow, WindowDate } from "../../src/calendar/records.ts";

export function windowRow(change: Partial<BookingWindow> = {}): BookingWindow {
  return {
    id: "0190a1b2-0000-7000-8000-000000000001",
    organisation_id: "org_1",
    branch_id: "0190a1b2-0000-7000-8000-00000000000b",
    day: "monday",
    session: "Morning",
    batch: "A",
    start_time: "09:00",
    end_time: "12:00",
    appointment_type_id: null,
    max_slots: 10,
    ai_slots: 4,
    status: "OPEN",
    created_at: 0,
    updated_at: 1_000,
    ...change,
  };
}

export function dateRow(change: Partial<WindowDate> = {}): WindowDate {
  return {
    window_id: "0190a1b2-0000-7000-8000-000000000001",
    date: "2026-11-16",
    max_slots: null,
    ai_slots: null,
    status: null,
    filled: 0,
    ai_filled: 0,
    updated_at: 0,
    ...change,
  };
}

export function appointmentRow(change: Partial<Appointment> = {}): Appointment {
  return {
    id: "apt_1",
    organisation_id: "org_1",
    window_id: "0190a1b2-0000-7000-8000-000000000001",
    branch_id: "0190a1b2-0000-7000-8000-00000000000b",
    date: "2026-11-16",
    start_time: "09:00",
    end_time: "12:00",
    batch: "A",
    appointment_type_id: null,
    status: "confirmed",
    contact_name: null,
    contact_number: null,
    contact_email: null,
    contact_identifiers: null,
    notes: null,
    source: "api",
    call_id: null,
    contact_time_zone: null,
    contact_region: null,
    created_at: 0,
    updated_at: 1_000,
    cancelled_at: null,
    completed_at: null,
    contact_confirmed_at: null,
    contact_forgotten_at: null,
    moved_by_hand_at: null,
    change_requested_at: null,
    contact_moved_at: null,
    contact_cancelled_at: null,
    ...NO_SOURCE,
    ...change,
  };
}
