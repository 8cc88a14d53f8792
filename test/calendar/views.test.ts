import { expect, test } from "bun:test";
import { capacityOf } from "../../src/calendar/capacity.ts";
import { DatedSlotSchema } from "../../src/calendar/model.ts";
import { appointmentView, datedView, windowView } from "../../src/calendar/views.ts";
import { appointmentRow, dateRow, windowRow } from "./rows.ts";

test("a window shows the fields of the contract, its fill null and its slot_id plain", () => {
  expect(windowView(windowRow({ appointment_type_id: "0190a1b2-0000-7000-8000-00000000005e" }))).toEqual({
    slot_id: "0190a1b2-0000-7000-8000-000000000001",
    calendar_id: "0190a1b2-0000-7000-8000-000000000001",
    parent_calendar_id: null,
    branch_id: "0190a1b2-0000-7000-8000-00000000000b",
    day: "monday",
    session: "Morning",
    batch: "A",
    start_time: "09:00",
    end_time: "12:00",
    appointment_type: "0190a1b2-0000-7000-8000-00000000005e",
    max_slots: 10,
    ai_slots: 4,
    filled_slots: null,
    available_slots: null,
    status: "OPEN",
    created_at: "1970-01-01T00:00:00.000Z",
    updated_at: "1970-01-01T00:00:01.000Z",
  });
});

test("a window on a date shows that date's numbers and status", () => {
  const window = windowRow();
  const row = dateRow({ max_slots: 5, ai_slots: 2, status: "CLOSED", filled: 3, ai_filled: 1 });
  const view = datedView(windowView(window), "2026-11-16", capacityOf(window, row));
  expect(view).toEqual({
    ...windowView(window),
    slot_id: `${window.id}||2026-11-16`,
    date: "2026-11-16",
    max_slots: 5,
    ai_slots: 2,
    status: "CLOSED",
    filled_slots: 3,
    available_slots: 2,
    ai_filled_slots: 1,
    ai_available_slots: 1,
  });
  expect(Object.keys(view).toSorted()).toEqual(Object.keys(DatedSlotSchema.properties).toSorted());
});

test("an appointment shows every field of the contract and nothing else of its row", () => {
  const row = appointmentRow({
    status: "completed",
    contact_name: "Meera",
    contact_number: "+919810012345",
    contact_email: "meera@example.org",
    contact_identifiers: '[{"system":"mrn","value":"MRN-004711"}]',
    notes: "first visit",
    source: "ai",
    call_id: "call_1",
    completed_at: 2_000,
  });
  expect(appointmentView(row, "Cardiology", "Asia/Kolkata")).toEqual({
    appointment_id: "apt_1",
    status: "completed",
    branch_id: "0190a1b2-0000-7000-8000-00000000000b",
    slot_id: "0190a1b2-0000-7000-8000-000000000001||2026-11-16",
    date: "2026-11-16",
    start_time: "09:00",
    end_time: "12:00",
    starts_at: "2026-11-16T03:30:00.000Z",
    ends_at: "2026-11-16T06:30:00.000Z",
    time_zone: "Asia/Kolkata",
    batch: "A",
    appointment_type_id: null,
    appointment_type_name: "Cardiology",
    contact_name: "Meera",
    contact_number: "+919810012345",
    contact_email: "meera@example.org",
    contact_identifiers: [{ system: "mrn", value: "MRN-004711" }],
    notes: "first visit",
    source: "ai",
    source_id: null,
    external_id: null,
    practitioner: null,
    wish: null,
    call_id: "call_1",
    created_at: "1970-01-01T00:00:00.000Z",
    updated_at: "1970-01-01T00:00:01.000Z",
    cancelled_at: null,
    completed_at: "1970-01-01T00:00:02.000Z",
    contact_confirmed_at: null,
    change_requested_at: null,
    contact_moved_at: null,
    contact_cancelled_at: null,
    contact_time_zone: null,
    contact_region: null,
  });
});
