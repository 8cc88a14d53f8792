// API and event representation of windows and appointments.
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { Appointment as AppointmentView } from "../payloads/appointment.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import type { Slot } from "../payloads/slot.ts";
import type { Capacity } from "./capacity.ts";
import type { DatedSlot } from "./model.ts";
import { momentsOf } from "./moments.ts";
import type { Appointment, BookingWindow } from "./records.ts";
import { availabilitySlotId } from "./slot-id.ts";

/** The window itself: fill is null, because it depends on the date. */
export function windowView(window: BookingWindow): Slot {
  return {
    slot_id: window.id,
    calendar_id: window.id,
    parent_calendar_id: null,
    branch_id: window.branch_id,
    day: window.day,
    session: window.session,
    batch: window.batch,
    start_time: window.start_time,
    end_time: window.end_time,
    appointment_type: window.appointment_type_id,
    max_slots: window.max_slots,
    ai_slots: window.ai_slots,
    filled_slots: null,
    available_slots: null,
    status: window.status,
    created_at: toIso(window.created_at),
    updated_at: toIso(window.updated_at),
  };
}

/** The window on one date. Takes the window's view, which is built once for many dates. */
export function datedView(
  window: Slot,
  date: string,
  capacity: Capacity,
  slotId = availabilitySlotId(window.calendar_id, date),
): DatedSlot {
  return {
    ...window,
    slot_id: slotId,
    date,
    max_slots: capacity.maxSlots,
    ai_slots: capacity.aiSlots,
    status: capacity.status,
    filled_slots: capacity.filled,
    available_slots: capacity.available,
    ai_filled_slots: capacity.aiFilled,
    ai_available_slots: capacity.aiAvailable,
  };
}

export function appointmentView(row: Appointment, appointmentTypeName: string | null, zone: string): AppointmentView {
  return {
    appointment_id: row.id,
    status: row.status,
    branch_id: row.branch_id,
    slot_id: row.window_id === null ? null : availabilitySlotId(row.window_id, row.date),
    date: row.date,
    start_time: row.start_time,
    end_time: row.end_time,
    ...momentsOf(row, zone),
    batch: row.batch,
    appointment_type_id: row.appointment_type_id,
    appointment_type_name: appointmentTypeName,
    contact_name: row.contact_name,
    contact_number: row.contact_number,
    contact_email: row.contact_email,
    contact_identifiers: identifiersIn(row.contact_identifiers),
    notes: row.notes,
    source: row.source,
    source_id: row.source_id,
    external_id: row.external_id,
    practitioner: practitionerOf(row),
    wish: wishOf(row),
    call_id: row.call_id,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    cancelled_at: toIsoOrNull(row.cancelled_at),
    completed_at: toIsoOrNull(row.completed_at),
    contact_confirmed_at: toIsoOrNull(row.contact_confirmed_at),
    change_requested_at: toIsoOrNull(row.change_requested_at),
    contact_moved_at: toIsoOrNull(row.contact_moved_at),
    contact_cancelled_at: toIsoOrNull(row.contact_cancelled_at),
    contact_time_zone: row.contact_time_zone,
    contact_region: row.contact_region,
  };
}

function practitionerOf({
  practitioner_id: id,
  practitioner_name: name,
}: Appointment): AppointmentView["practitioner"] {
  return id === null && name === null ? null : { id, name };
}

function wishOf({ wish, wish_state, wished_at, wish_call_id, wish_text }: Appointment): AppointmentView["wish"] {
  if (wish === null || wish_state === null || wished_at === null) return null;
  return { wish, state: wish_state, wished_at: toIso(wished_at), call_id: wish_call_id, text: wish_text };
}
