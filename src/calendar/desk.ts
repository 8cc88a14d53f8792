// Booking desk of one call: finds the appointment the call is about, offers open slots, holds them during the
// conversation and books one.
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { ContactPlace } from "../core/given-place.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { identifiersIn, type Identifier } from "../payloads/identifiers.ts";
import type { BookingDesk, KnownAppointment, SlotOffer, TimeWish, Undone } from "./desk-port.ts";
import type { ContactAnswer } from "./contact-answer.ts";
import type { AppointmentService } from "./appointment-service.ts";
import { appointmentOf } from "./appointment-store.ts";
import { bookableSlot } from "./booking.ts";
import { addDays } from "../core/zones.ts";
import { localNow, MOST_DAYS } from "./days.ts";
import { isClosedDay } from "./closure-store.ts";
import { holdSlot } from "./hold.ts";
import { knownAppointment } from "./known-appointment.ts";
import { nearest } from "./nearest.ts";
import { ownerOf } from "./source-store.ts";
import { wishText } from "./wish-text.ts";
import type { Appointment } from "./records.ts";
import { availabilitySlotId } from "./slot-id.ts";
import type { DatedSlot } from "./model.ts";
import type { TrackingService } from "./tracking-service.ts";
import { deleteHoldsOfCall } from "./window-store.ts";

/** Search window: 14 days around the requested day. */
const WISH_DAYS_AROUND = 14;

const LABELS = ["A", "B", "C", "D", "E"];

export interface DeskCall {
  callId: string;
  organisationId: string;
  /** Null if the call has no branch to book for. */
  branchId: string | null;
  appointmentTypeId: string | null;
  /** The appointment named by the call. */
  appointmentId: string | null;
  contactName: string | null;
  contactNumber: string;
  /** Whether we dialled the number; see known-appointment.ts. */
  isNumberSure: boolean;
  contactEmail: string | null;
  identifiers?: readonly Identifier[];
  /** Given with the call. */
  contactPlace?: ContactPlace;
}

export interface DeskDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  tracking: TrackingService;
  appointments: AppointmentService;
  /** Stores that the call is about this appointment. */
  isAbout: (tx: Tx, callId: string, appointmentId: string) => Promise<void>;
  wake: () => void;
  /** Adds the contact to the waiting list; absent if there is none. */
  wait?: (wish: TimeWish | null, name: string | null) => Promise<boolean>;
  /** Removes the contact from the waiting list again. */
  unwait?: () => Promise<boolean>;
}

/** The last change made by the call, with the state before it. */
type Deed =
  | { did: "confirmed" }
  | { did: "waited" }
  | { did: "cancelled" | "moved"; before: Appointment }
  | { did: "booked"; appointmentId: string };

class Desk implements BookingDesk {
  readonly canBook: boolean;
  readonly canWait: boolean;
  readonly #offered = new Map<string, SlotOffer & { slotId: string }>();
  #booked: SlotOffer | null = null;
  /** Set once the agent has asked: only the appointment it spoke about is moved. */
  #subject: Appointment | null = null;
  #last: Deed | null = null;
  /** Changes of the subject that only its source can make. */
  #passedOn: NonNullable<KnownAppointment["passedOn"]> = [];

  constructor(
    private readonly deps: DeskDeps,
    private readonly call: DeskCall,
  ) {
    this.canBook = call.branchId !== null;
    this.canWait = this.canBook && deps.wait !== undefined;
  }

  async appointment(): Promise<KnownAppointment | null> {
    const { db, clock } = this.deps;
    this.#subject = (await knownAppointment(db.reader, clock, this.call)) ?? null;
    const owner = this.#subject && (await ownerOf(db.reader, this.#subject));
    this.#passedOn = [
      ...(owner?.owns.has("status") ? (["cancel"] as const) : []),
      ...(owner?.owns.has("time") ? (["move"] as const) : []),
    ];
    return this.#known();
  }

  confirm(): Promise<boolean> {
    return this.#answer("confirmed");
  }

  cancel(): Promise<boolean> {
    return this.#answer("cancelled");
  }

  requestChange(wish: TimeWish | null = null): Promise<boolean> {
    return this.#answer("change_requested", wishText(wish));
  }

  async offer(most: number, wish: TimeWish | null = null): Promise<SlotOffer[]> {
    const { db, clock, tracking } = this.deps;
    // Runs first, so slots held for this caller are open again.
    if (this.#offered.size > 0) await db.write((tx) => deleteHoldsOfCall(tx, this.call.callId));
    this.#offered.clear();
    this.#booked = null;
    const branchId = this.#subject?.branch_id ?? this.call.branchId;
    // The times of the hospital's own system are not known here.
    if (branchId === null || (this.#subject && this.#passedOn.includes("move"))) return [];
    const serviceId = this.#subject ? this.#subject.appointment_type_id : this.call.appointmentTypeId;
    const query = {
      branch_id: branchId,
      ...(serviceId === null ? {} : { appointment_type_id: serviceId }),
      ...lastDayFor(wish, clock),
    };
    // The caller waits for this read, so it must not queue behind searches.
    const readers = { reader: db.reader, heavy: null };
    const available = await tracking.availability(this.call.organisationId, query, readers);
    const open = nearest(
      available.filter((slot) => !isWhere(this.#subject, slot)),
      wish,
    );
    const kept = await db.write(async (tx) => {
      const slots: DatedSlot[] = [];
      for (const slot of open) {
        if (slots.length >= Math.min(most, LABELS.length)) break;
        if (slot.ai_available_slots > 0 && (await holdSlot(tx, this.deps, this.call, slot))) slots.push(slot);
      }
      return slots;
    });
    return kept.map((slot, i) => {
      const offer = { label: LABELS[i] ?? "", date: slot.date, startTime: slot.start_time, endTime: slot.end_time };
      this.#offered.set(offer.label, { ...offer, slotId: slot.slot_id });
      return offer;
    });
  }

  /** Idempotent: a repeated request for the same slot returns it again and books once. */
  async book(label: string, name: string | null = null): Promise<SlotOffer | null> {
    const { db, wake } = this.deps;
    if (this.#booked?.label === label) return this.#booked;
    const choice = this.#offered.get(label);
    if (!choice) return null;
    const taken = await db.write((tx) => this.#take(tx, choice.slotId, name)).catch(whereRefused(null));
    if (!taken) return null;
    this.#last = taken.deed;
    this.#subject = taken.subject;
    wake();
    this.#booked = { label, date: choice.date, startTime: choice.startTime, endTime: choice.endTime };
    return this.#booked;
  }

  async wait(wish: TimeWish | null, name: string | null = null): Promise<boolean> {
    const isDone = (await this.deps.wait?.(wish, name)) ?? false;
    if (isDone) this.#last = { did: "waited" };
    return isDone;
  }

  /** A released slot is held for the rest of the call, so it can be taken again. */
  async undo(): Promise<Undone> {
    const { db, wake, unwait } = this.deps;
    const last = this.#last;
    this.#last = null;
    this.#booked = null;
    if (last?.did === "waited") return { isDone: (await unwait?.()) ?? false, appointment: null };
    if (!last) return { isDone: true, appointment: this.#known() };
    const back = await db.write((tx) => this.#takeBack(tx, last)).catch(whereRefused(null));
    if (back) this.#subject = back.subject;
    else await this.requestChange();
    wake();
    return { isDone: back !== null, appointment: this.#known() };
  }

  #known(): KnownAppointment | null {
    if (!this.#subject) return null;
    const { date, start_time: startTime } = this.#subject;
    return { date, startTime, ...(this.#passedOn.length > 0 && { passedOn: this.#passedOn }) };
  }

  async #takeBack(tx: Tx, deed: Exclude<Deed, { did: "waited" }>): Promise<{ subject: Appointment | null }> {
    if (deed.did === "booked") {
      await this.#change(tx, deed.appointmentId, "cancelled", { status: "cancelled" });
      return { subject: null };
    }
    if (deed.did === "confirmed") {
      return { subject: this.#subject && (await this.#change(tx, this.#subject.id, "withdrawn", {})) };
    }
    const { before } = deed;
    if (before.window_id === null) return { subject: await this.#change(tx, before.id, "withdrawn", {}) };
    const slotId = availabilitySlotId(before.window_id, before.date);
    if (deed.did === "moved") return { subject: await this.#change(tx, before.id, "withdrawn", { slot_id: slotId }) };
    // A cancelled appointment stays cancelled; the contact gets a new one in its place.
    const { clock, appointments, isAbout } = this.deps;
    const { organisationId, callId } = this.call;
    const slot = await bookableSlot(tx, clock, organisationId, slotId);
    const { within } = appointments;
    const { contact_name, contact_number, contact_email, notes, appointment_type_id } = before;
    const contact_identifiers = identifiersIn(before.contact_identifiers);
    // Without its id in a source: there it stays cancelled.
    const again = { contact_name, contact_number, contact_email, contact_identifiers, notes, appointment_type_id };
    const subject = await within.book(tx, organisationId, slot, again, before.source, SYSTEM_ACTOR, callId);
    await isAbout(tx, callId, subject.id);
    return { subject };
  }

  /**
   * False if the appointment was cancelled, moved or is over since the agent asked: the contact answered about the old
   * time.
   */
  async #answer(contactAnswer: ContactAnswer, wish: string | null = null): Promise<boolean> {
    const { db, wake } = this.deps;
    if (!this.#subject) return false;
    const told = this.#subject;
    const keep = async (tx: Tx) => {
      // A change request is valid even if the appointment was moved.
      if (contactAnswer !== "change_requested") await assertUnmoved(tx, told);
      if (contactAnswer === "confirmed") await assertNotClosed(tx, told);
      const input = contactAnswer === "cancelled" ? { status: "cancelled" as const } : {};
      await this.#change(tx, told.id, contactAnswer, input, wish);
      if (contactAnswer === "cancelled") await this.#holdOldPlace(tx, told);
    };
    const done = await db.write(keep).then(() => true, whereRefused(false));
    if (!done) return false;
    if (contactAnswer === "confirmed") this.#last = { did: "confirmed" };
    if (contactAnswer === "cancelled") this.#last = { did: "cancelled", before: told };
    wake();
    return true;
  }

  async #holdOldPlace(tx: Tx, { window_id, date }: Appointment): Promise<void> {
    if (window_id !== null) await holdSlot(tx, this.deps, this.call, { calendar_id: window_id, date });
  }

  async #change(
    tx: Tx,
    id: string,
    contactAnswer: ContactAnswer,
    input: { slot_id?: string; status?: "cancelled" },
    wish: string | null = null,
  ): Promise<Appointment> {
    const { appointments, isAbout } = this.deps;
    const inCall = { callId: this.call.callId, answer: contactAnswer, wishText: wish };
    const row = await appointments.within.change(tx, this.call.organisationId, id, input, SYSTEM_ACTOR, inCall);
    await isAbout(tx, this.call.callId, id);
    return row;
  }

  async #take(tx: Tx, slotId: string, name: string | null): Promise<{ deed: Deed; subject: Appointment | null }> {
    const { clock, appointments } = this.deps;
    const before = this.#subject;
    if (before) {
      const moved = await this.#change(tx, before.id, "confirmed", { slot_id: slotId });
      await this.#holdOldPlace(tx, before);
      return { deed: { did: "moved", before }, subject: moved };
    }
    const slot = await bookableSlot(tx, clock, this.call.organisationId, slotId);
    const contact = {
      contact_name: this.call.contactName ?? name,
      contact_number: this.call.contactNumber,
      contact_email: this.call.contactEmail,
      contact_identifiers: [...(this.call.identifiers ?? [])],
      ...this.call.contactPlace,
    };
    const { id } = await appointments.within.book(
      tx,
      this.call.organisationId,
      slot,
      { ...contact, appointment_type_id: this.call.appointmentTypeId },
      "ai",
      SYSTEM_ACTOR,
      this.call.callId,
    );
    return { deed: { did: "booked", appointmentId: id }, subject: null };
  }
}

export const createDesk = (deps: DeskDeps, call: DeskCall): BookingDesk => new Desk(deps, call);

/** Last day of the search: around the requested day, or the default range without one. */
function lastDayFor(wish: TimeWish | null, clock: Clock): { to?: string } {
  const last = wish?.dateEnd ?? wish?.date ?? null;
  if (last === null) return {};
  const today = localNow(clock, "UTC").date;
  const [soonest, latest] = [addDays(today, WISH_DAYS_AROUND), addDays(today, MOST_DAYS - 2)];
  const wanted = addDays(last, WISH_DAYS_AROUND);
  return { to: wanted < soonest ? soonest : wanted > latest ? latest : wanted };
}

async function assertUnmoved(tx: Tx, told: Appointment): Promise<void> {
  const row = await appointmentOf(tx, told.organisation_id, told.id);
  if (row?.date === told.date && row.start_time === told.start_time) return;
  throw new AppError("CONFLICT", "This appointment was moved after the contact was told of it.");
}

/** A contact must not confirm an appointment on a closed day. */
async function assertNotClosed(tx: Tx, { window_id, date }: Appointment): Promise<void> {
  if (window_id !== null && (await isClosedDay(tx, window_id, date)))
    throw new AppError("CONFLICT", "This day was closed.");
}

function isWhere(subject: Appointment | null, slot: DatedSlot): boolean {
  return subject?.window_id === slot.calendar_id && subject.date === slot.date;
}

/**
 * Handles a slot that became full, closed, over or cancelled in the meantime: the agent says so. Rethrows other errors.
 */
export function whereRefused<T>(instead: T): (error: unknown) => T {
  return (error) => {
    const isRefusal =
      error instanceof AppError && ["SLOT_FULL", "VALIDATION_ERROR", "CONFLICT", "NOT_FOUND"].includes(error.code);
    if (isRefusal) return instead;
    throw error;
  };
}
