// The agent's place at the calendar: knows what the call is about, offers what is open, keeps it for the caller while
// they talk, and books it.
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { AppointmentRow, Tx } from "../db/tables.ts";
import type { BookingDesk, SlotOffer, TimeWish } from "../voice/port.ts";
import type { AppointmentService, ContactAnswer } from "./appointment-service.ts";
import { appointmentOf } from "./appointment-store.ts";
import { bookablePlace } from "./booking.ts";
import { capacityOf } from "./capacity.ts";
import { addDays } from "../core/zones.ts";
import { localNow, MOST_DAYS } from "./days.ts";
import { knownAppointment } from "./known-appointment.ts";
import { nearest } from "./nearest.ts";
import type { DatedSlot } from "./model.ts";
import type { TrackingService } from "./tracking-service.ts";
import { deleteHoldsOfCall, ensureWindowDate, heldPlaces, insertHold, windowDate, windowOf } from "./window-store.ts";

/** Long enough to read two places aloud and hear an answer, short enough that a broken line frees them soon. */
const HOLD_MS = 90 * SECOND_MS;

/** A fortnight around the day that somebody wishes for. */
const WISH_DAYS_AROUND = 14;

const LABELS = ["A", "B", "C", "D", "E"];

export interface DeskCall {
  callId: string;
  organisationId: string;
  /** Null where the call has no branch of its own to book for. */
  branchId: string | null;
  appointmentTypeId: string | null;
  /** What the call names as its subject. */
  appointmentId: string | null;
  contactName: string | null;
  contactNumber: string;
  /** Whether we dialled it ourselves; see known-appointment.ts. */
  isNumberSure: boolean;
  contactEmail: string | null;
}

export interface DeskDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  tracking: TrackingService;
  appointments: AppointmentService;
  /** The call turned out to be about this appointment. */
  isAbout: (tx: Tx, callId: string, appointmentId: string) => Promise<void>;
  wake: () => void;
}

export function createDesk(deps: DeskDeps, call: DeskCall): BookingDesk {
  const { db, clock, ids, tracking, appointments, isAbout, wake } = deps;
  const offered = new Map<string, SlotOffer & { slotId: string }>();
  let booked: SlotOffer | null = null;
  /** Set once the agent has asked: only what it spoke of is moved. */
  let subject: AppointmentRow | null = null;

  /** False where it was cancelled, or is over, since the agent asked; or has another time, and the contact said yes to the old one. */
  async function answer(contactAnswer: ContactAnswer): Promise<boolean> {
    if (!subject) return false;
    const told = subject;
    const keep = async (tx: Tx) => {
      // Wanting another time is true whatever the old one was.
      if (contactAnswer !== "change_requested") await assertUnmoved(tx, told);
      await change(tx, told.id, contactAnswer, contactAnswer === "cancelled" ? { status: "cancelled" } : {});
    };
    const done = await db.write(keep).then(() => true, whereRefused(false));
    if (done) wake();
    return done;
  }

  async function change(
    tx: Tx,
    id: string,
    contactAnswer: ContactAnswer,
    input: { slot_id?: string; status?: "cancelled" },
  ): Promise<void> {
    const inCall = { callId: call.callId, answer: contactAnswer };
    await appointments.changeWithin(tx, call.organisationId, id, input, SYSTEM_ACTOR, inCall);
    await isAbout(tx, call.callId, id);
  }

  async function take(tx: Tx, slotId: string): Promise<void> {
    if (subject) {
      await change(tx, subject.id, "confirmed", { slot_id: slotId });
      return;
    }
    const place = await bookablePlace(tx, clock, call.organisationId, slotId);
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
  }

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
    canBook: call.branchId !== null,

    async appointment() {
      subject = (await knownAppointment(db.reader, clock, call)) ?? null;
      return subject && { date: subject.date, startTime: subject.start_time };
    },

    confirm: () => answer("confirmed"),
    cancel: () => answer("cancelled"),
    requestChange: () => answer("change_requested"),

    async offer(most, wish = null) {
      // First of all, so that what this caller alone keeps from others is open again.
      if (offered.size > 0) await db.write((tx) => deleteHoldsOfCall(tx, call.callId));
      offered.clear();
      booked = null;
      const branchId = subject?.branch_id ?? call.branchId;
      if (branchId === null) return [];
      const serviceId = subject ? subject.appointment_type_id : call.appointmentTypeId;
      const available = await tracking.availability(call.organisationId, {
        branch_id: branchId,
        ...(serviceId === null ? {} : { appointment_type_id: serviceId }),
        ...lastDayFor(wish, clock),
      });
      const open = nearest(
        available.filter((slot) => !isWhere(subject, slot)),
        wish,
      );
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
      const taken = await db.write((tx) => take(tx, choice.slotId)).then(() => true, whereRefused(false));
      if (!taken) return null;
      wake();
      booked = { label, date: choice.date, startTime: choice.startTime, endTime: choice.endTime };
      return booked;
    },
  };
}

/** Far enough ahead to find something around the day that was wished for; the usual days where none was. */
function lastDayFor(wish: TimeWish | null, clock: Clock): { to?: string } {
  const last = wish?.dateEnd ?? wish?.date ?? null;
  if (last === null) return {};
  const today = localNow(clock, "UTC").date;
  const [soonest, latest] = [addDays(today, WISH_DAYS_AROUND), addDays(today, MOST_DAYS - 2)];
  const wanted = addDays(last, WISH_DAYS_AROUND);
  return { to: wanted < soonest ? soonest : wanted > latest ? latest : wanted };
}

async function assertUnmoved(tx: Tx, told: AppointmentRow): Promise<void> {
  const row = await appointmentOf(tx, told.organisation_id, told.id);
  if (row?.date === told.date && row.start_time === told.start_time) return;
  throw new AppError("CONFLICT", "This appointment was moved after the contact was told of it.");
}

function isWhere(subject: AppointmentRow | null, slot: DatedSlot): boolean {
  return subject?.window_id === slot.calendar_id && subject.date === slot.date;
}

/** Full, closed, over or cancelled since it was spoken of: the agent says so. Anything else is a fault. */
function whereRefused<T>(instead: T): (error: unknown) => T {
  return (error) => {
    const isRefusal =
      error instanceof AppError && ["SLOT_FULL", "VALIDATION_ERROR", "CONFLICT", "NOT_FOUND"].includes(error.code);
    if (isRefusal) return instead;
    throw error;
  };
}
