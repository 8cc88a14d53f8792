// The agent's place at the calendar: offers what is open, keeps it for the caller while they talk, and books it.
import { SYSTEM_ACTOR } from "../accounts/actor.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { BookingDesk, SlotOffer } from "../telephony/port.ts";
import type { AppointmentService } from "./appointment-service.ts";
import { bookablePlace } from "./booking.ts";
import { capacityOf } from "./capacity.ts";
import type { DatedSlot } from "./model.ts";
import type { TrackingService } from "./tracking-service.ts";
import { deleteHoldsOfCall, ensureWindowDate, heldPlaces, insertHold, windowDate, windowOf } from "./window-store.ts";

/** Long enough to read two places aloud and hear an answer, short enough that a broken line frees them soon. */
const HOLD_MS = 90 * SECOND_MS;

const LABELS = ["A", "B", "C", "D", "E"];

export interface DeskCall {
  callId: string;
  organisationId: string;
  branchId: string;
  appointmentTypeId: string | null;
  contactName: string | null;
  contactNumber: string;
  contactEmail: string | null;
}

export interface DeskDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  tracking: TrackingService;
  appointments: AppointmentService;
  wake: () => void;
}

export function createDesk({ db, clock, ids, tracking, appointments, wake }: DeskDeps, call: DeskCall): BookingDesk {
  const offered = new Map<string, SlotOffer & { slotId: string }>();
  let booked: SlotOffer | null = null;

  async function hold(tx: Tx, slot: DatedSlot): Promise<boolean> {
    const now = clock.now();
    const window = await windowOf(tx, call.organisationId, slot.calendar_id);
    if (!window) return false;
    const capacity = capacityOf(
      window,
      await windowDate(tx, window.id, slot.date),
      await heldPlaces(tx, window.id, slot.date, now),
    );
    if (capacity.status === "CLOSED" || capacity.aiAvailable <= 0) return false;
    // Availability counts holds on dates that have a row.
    await ensureWindowDate(tx, window.id, slot.date, now);
    await insertHold(tx, {
      id: ids.next("hld"),
      window_id: window.id,
      date: slot.date,
      call_id: call.callId,
      expires_at: now + HOLD_MS,
    });
    return true;
  }

  return {
    async offer(most) {
      // First of all, so that what this caller alone keeps from others is open again.
      if (offered.size > 0) await db.write((tx) => deleteHoldsOfCall(tx, call.callId));
      offered.clear();
      booked = null;
      const open = await tracking.availability(call.organisationId, {
        branch_id: call.branchId,
        ...(call.appointmentTypeId === null ? {} : { appointment_type_id: call.appointmentTypeId }),
      });
      const kept = await db.write(async (tx) => {
        const slots: DatedSlot[] = [];
        for (const slot of open) {
          if (slots.length >= Math.min(most, LABELS.length)) break;
          if (slot.ai_available_slots > 0 && (await hold(tx, slot))) slots.push(slot);
        }
        return slots;
      });
      return kept.map((slot, i) => {
        const offer = { label: LABELS[i] ?? "", date: slot.date, startTime: slot.start_time, endTime: slot.end_time };
        offered.set(offer.label, { ...offer, slotId: slot.slot_id });
        return offer;
      });
    },

    /** Asked twice for the same place, it answers twice and books once. */
    async book(label) {
      if (booked?.label === label) return booked;
      const choice = offered.get(label);
      if (!choice) return null;
      try {
        await db.write(async (tx) => {
          const place = await bookablePlace(tx, clock, call.organisationId, choice.slotId);
          const contact = {
            contact_name: call.contactName,
            contact_number: call.contactNumber,
            contact_email: call.contactEmail,
          };
          await appointments.bookWithin(
            tx,
            call.organisationId,
            place,
            { ...contact, appointment_type_id: call.appointmentTypeId },
            "ai",
            SYSTEM_ACTOR,
            call.callId,
          );
        });
      } catch (error) {
        // Full, closed or over since it was offered: the agent says so. Anything else is a fault.
        if (error instanceof AppError && (error.code === "SLOT_FULL" || error.code === "VALIDATION_ERROR")) return null;
        throw error;
      }
      wake();
      booked = { label, date: choice.date, startTime: choice.startTime, endTime: choice.endTime };
      return booked;
    },
  };
}
