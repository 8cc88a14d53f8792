// Booking desk of a call about a waiting-list slot. It offers one slot, which is reserved for this call. Booking or
// declining commits in one transaction with the offer.
import type { AppointmentService } from "../calendar/appointment-service.ts";
import { bookableSlot } from "../calendar/booking.ts";
import { whereRefused } from "../calendar/desk.ts";
import { capacityOf } from "../calendar/capacity.ts";
import { availabilitySlotId } from "../calendar/slot-id.ts";
import { heldSlots, windowDate, windowOf } from "../calendar/window-store.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { BookingWindow } from "../calendar/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import type { BookingDesk, SlotOffer, Undone } from "../calendar/desk-port.ts";
import { endOffer, lookAgain, offerOfCall } from "./offer-store.ts";
import type { WaitingOffers } from "./offers.ts";
import type { WaitingEntry, WaitingOffer } from "./records.ts";
import { entryById, updateEntry } from "./store.ts";

const LABEL = "A";

export interface PlaceDeskDeps {
  db: Database;
  clock: Clock;
  appointments: AppointmentService;
  offers: WaitingOffers;
  wake: () => void;
}

interface Offered {
  offer: WaitingOffer;
  entry: WaitingEntry;
  window: BookingWindow;
}

class PlaceDesk implements BookingDesk {
  readonly canBook = true;
  readonly canWait = false;
  readonly hasPlace = true;
  #booked: SlotOffer | null = null;
  #appointmentId: string | null = null;

  constructor(
    private readonly deps: PlaceDeskDeps,
    private readonly call: { callId: string; organisationId: string },
  ) {}

  // The call is only about the slot, so other appointments are not handled.
  appointment = async () => null;
  confirm = async () => false;
  cancel = async () => false;
  requestChange = async () => false;
  wait = async () => false;

  /** Empty if the offer was withdrawn meanwhile. */
  async offer(): Promise<SlotOffer[]> {
    const { db, clock } = this.deps;
    const offered = await this.#offered(db.reader);
    if (!offered) return [];
    const { window, offer, entry } = offered;
    const now = clock.now();
    // The call's own reservation is not counted.
    const held = (await heldSlots(db.reader, window.id, offer.date, now)) - 1;
    const capacity = capacityOf(window, await windowDate(db.reader, window.id, offer.date), Math.max(0, held));
    const left = entry.source === "ai" ? capacity.aiAvailable : capacity.available;
    return capacity.status === "OPEN" && left > 0 ? [slotOf(offered)] : [];
  }

  /** Idempotent: a repeated call returns the same slot and books once. */
  async book(label: string): Promise<SlotOffer | null> {
    if (label !== LABEL) return null;
    if (this.#booked) return this.#booked;
    const booked = await this.deps.db.write((tx) => this.#take(tx)).catch(whereRefused(null));
    if (booked) this.deps.wake();
    this.#booked = booked;
    return booked;
  }

  /** The person declines: the next one is called at once. */
  async decline(stays: boolean): Promise<boolean> {
    const { db, offers, wake } = this.deps;
    const isNoted = await db.write(async (tx) => {
      const offer = await offerOfCall(tx, this.call.callId);
      if (!offer || offer.state === "booked") return false;
      await offers.declined(tx, offer, stays);
      return true;
    });
    if (isNoted) wake();
    return isNoted;
  }

  /**
   * Cancels the booking: the slot is open to the next person, and this one stays on the list until they say otherwise.
   */
  async undo(): Promise<Undone> {
    const { db, clock, appointments, wake } = this.deps;
    const { organisationId, callId } = this.call;
    const id = this.#appointmentId;
    this.#booked = null;
    this.#appointmentId = null;
    if (id === null) return { isDone: true, appointment: null };
    const takeBack = async (tx: Tx) => {
      const inCall = { callId, answer: "cancelled" as const };
      await appointments.within.change(tx, organisationId, id, { status: "cancelled" }, SYSTEM_ACTOR, inCall);
      const offer = await offerOfCall(tx, callId);
      if (!offer) return;
      const now = clock.now();
      await endOffer(tx, offer.id, "declined", now);
      await updateEntry(tx, offer.entry_id, { state: "waiting", appointment_id: null, updated_at: now });
    };
    const isDone = await db.write(takeBack).then(() => true, whereRefused(false));
    wake();
    return { isDone, appointment: null };
  }

  async #offered(executor: Executor): Promise<Offered | null> {
    const offer = await offerOfCall(executor, this.call.callId);
    if (offer?.state !== "calling") return null;
    const entry = await entryById(executor, offer.entry_id);
    const window = await windowOf(executor, this.call.organisationId, offer.window_id);
    return entry && window ? { offer, entry, window } : null;
  }

  async #take(tx: Tx): Promise<SlotOffer> {
    const { clock, appointments } = this.deps;
    const { organisationId, callId } = this.call;
    const offered = await this.#offered(tx);
    if (!offered) throw new AppError("CONFLICT", "This place is no longer on offer.");
    const { offer, entry, window } = offered;
    const slot = await bookableSlot(tx, clock, organisationId, availabilitySlotId(window.id, offer.date));
    const contact = {
      contact_name: entry.contact_name,
      contact_number: entry.contact_number,
      contact_email: entry.contact_email,
      contact_identifiers: identifiersIn(entry.contact_identifiers),
      notes: entry.notes,
      contact_time_zone: entry.contact_time_zone,
      contact_region: entry.contact_region,
      appointment_type_id: entry.appointment_type_id,
    };
    const { within } = appointments;
    const booked = await within.book(tx, organisationId, slot, contact, entry.source, SYSTEM_ACTOR, callId);
    const now = clock.now();
    await endOffer(tx, offer.id, "booked", now);
    await updateEntry(tx, entry.id, { state: "booked", appointment_id: booked.id, updated_at: now });
    await lookAgain(tx, offer.window_id, offer.date, now);
    this.#appointmentId = booked.id;
    return slotOf(offered);
  }
}

export const createPlaceDesk = (deps: PlaceDeskDeps, call: { callId: string; organisationId: string }): BookingDesk =>
  new PlaceDesk(deps, call);

const slotOf = ({ window, offer }: Pick<Offered, "window" | "offer">): SlotOffer => ({
  label: LABEL,
  date: offer.date,
  startTime: window.start_time,
  endTime: window.end_time,
});
