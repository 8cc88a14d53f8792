// Changes of an appointment within a transaction: book, move, cancel, complete. State, capacity and events commit
// together.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { contactPlace } from "../core/given-place.ts";
import type { Ids } from "../core/ids.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { EventType } from "../events/catalogue.ts";
import type { Appointment as AppointmentView } from "../payloads/appointment.ts";
import { checkedText } from "../payloads/identifiers.ts";
import type { Outbox } from "../events/outbox.ts";
import { linkColumns } from "./appointment-link.ts";
import { isFinalStatus, mayBecome, takesSlot } from "./appointment-state.ts";
import { appointmentOf, insertAppointment, updateAppointment } from "./appointment-store.ts";
import type { CallAnswer, ContactAnswer } from "./contact-answer.ts";
import { bookableSlot, giveBack, shareOf, takeSlot, type BookableSlot, type Source } from "./booking.ts";
import { ownedChange } from "./owned-change.ts";
import { NO_SOURCE, type Appointment, type BookingWindow } from "./records.ts";
import { datedSlotOf } from "./slot-id.ts";
import { ownerOf } from "./source-store.ts";
import type { CreateAppointmentInput, PatchAppointmentInput } from "./model.ts";
import { appointmentTypeName, registerAppointmentType, zoneOf } from "./directory-store.ts";
import type { SlotEvents } from "./slot-events.ts";
import { appointmentView } from "./views.ts";
import { windowOf } from "./window-store.ts";

const FIELD = "contact_identifiers";

type Patch = Partial<Omit<Appointment, "id" | "organisation_id">>;

/** Called on every change, in its transaction; `before` is null for a new appointment. */
export type AppointmentWatcher = (tx: Tx, appointment: Appointment, before: Appointment | null) => Promise<void>;

export interface ChangeDeps {
  clock: Clock;
  ids: Ids;
  audit: Audit;
  outbox: Outbox;
  slotEvents: SlotEvents;
  /** Set by the composition root. */
  watchers: readonly AppointmentWatcher[];
}

export class AppointmentChanges {
  constructor(private readonly deps: ChangeDeps) {}

  async book(
    tx: Tx,
    organisationId: string,
    slot: BookableSlot,
    input: Omit<CreateAppointmentInput, "slot_id">,
    source: Source,
    actor: Actor,
    callId: string | null = null,
  ): Promise<Appointment> {
    const { clock, ids, audit, slotEvents } = this.deps;
    const { window, date } = slot;
    const now = clock.now();
    const serviceId = serviceOf(window, input.appointment_type_id?.toLowerCase() ?? null);
    await takeSlot(tx, slot, source === "ai" ? "ai" : "all", now, callId);
    if (serviceId !== null) await registerAppointmentType(tx, organisationId, serviceId, now);
    const row: Appointment = {
      id: ids.next("apt"),
      organisation_id: organisationId,
      ...slotColumns(slot),
      appointment_type_id: serviceId,
      status: "confirmed",
      contact_name: input.contact_name ?? null,
      contact_number: input.contact_number ?? null,
      contact_email: input.contact_email ?? null,
      contact_identifiers: checkedText(input.contact_identifiers, FIELD),
      notes: input.notes ?? null,
      source,
      call_id: callId,
      created_at: now,
      updated_at: now,
      cancelled_at: null,
      completed_at: null,
      contact_confirmed_at: null,
      contact_forgotten_at: null,
      change_requested_at: null,
      moved_by_hand_at: null,
      contact_moved_at: null,
      contact_cancelled_at: null,
      ...NO_SOURCE,
      ...(await linkColumns(tx, organisationId, input)),
      ...contactPlace(input),
    };
    await insertAppointment(tx, row);
    await audit.record(tx, {
      organisationId,
      actor,
      action: "appointment.created",
      subjectId: row.id,
      detail: { source },
    });
    await this.#publish(tx, "appointment.created", row);
    await slotEvents.dateChanged(tx, window, date, now);
    for (const watch of this.deps.watchers) await watch(tx, row, null);
    return row;
  }

  /** `answer`: the contact's answer in a call. The call's own holds do not block its move. */
  async change(
    tx: Tx,
    organisationId: string,
    id: string,
    input: PatchAppointmentInput,
    actor: Actor,
    inCall: CallAnswer | null = null,
  ): Promise<Appointment> {
    const { clock, audit } = this.deps;
    const row = await appointmentOf(tx, organisationId, id);
    if (!row) throw unknownAppointment();
    if (isFinalStatus(row.status))
      throw new AppError("CONFLICT", `This appointment is ${row.status} and cannot be changed.`);
    const now = clock.now();
    const owner = await ownerOf(tx, row);
    if (!owner && input.wish) throw new AppError("CONFLICT", "No source owns this appointment. Change it directly.");
    const owned = owner && ownedChange(row, owner, input, now, inCall);
    const {
      slot_id,
      status,
      appointment_type_id,
      contact_identifiers,
      practitioner,
      external_id,
      source_id,
      wish: _wish,
      ...contact
    } = owned?.left ?? input;
    const patch: Patch = { ...given(contact), ...contactPlace(contact, row), updated_at: now };
    if (contact_identifiers !== undefined) patch.contact_identifiers = checkedText(contact_identifiers, FIELD);
    // Retention looks at the appointment again.
    if ([...Object.values(contact), patch.contact_identifiers].some((value) => typeof value === "string"))
      patch.contact_forgotten_at = null;
    Object.assign(patch, await linkColumns(tx, organisationId, { practitioner, external_id, source_id }, row));
    const slot = slot_id === undefined ? null : await this.#otherSlot(tx, row, slot_id);
    if (slot || appointment_type_id !== undefined) {
      const asked = appointment_type_id === undefined ? row.appointment_type_id : appointment_type_id;
      patch.appointment_type_id = await this.#serviceIn(tx, row, slot, asked, now);
    }
    if (slot) Object.assign(patch, await this.#move(tx, row, slot, now, inCall?.callId ?? null));
    if (status !== undefined && status !== row.status)
      Object.assign(patch, await this.#applyStatus(tx, { ...row, ...patch }, status, now));
    if (owned) Object.assign(patch, owned.patch);
    else if (inCall) Object.assign(patch, answerColumns(inCall.answer, now));
    await updateAppointment(tx, id, patch);
    const updated = { ...row, ...patch };
    await audit.record(tx, {
      organisationId,
      actor,
      action: "appointment.changed",
      subjectId: id,
      detail: { fields: Object.keys(given(input)), ...(inCall ? { contact_answer: inCall.answer } : {}) },
    });
    await this.#publish(tx, eventFor(row.status, updated.status), updated);
    for (const watch of this.deps.watchers) await watch(tx, updated, row);
    return updated;
  }

  async #publish(tx: Tx, type: EventType, row: Appointment): Promise<void> {
    await this.deps.outbox.publish(tx, {
      organisationId: row.organisation_id,
      type,
      appointmentId: row.id,
      data: await viewOf(tx, row),
    });
  }

  async #applyStatus(tx: Tx, row: Appointment, status: Appointment["status"], now: number): Promise<Patch> {
    if (!mayBecome(row.status, status)) {
      throw new AppError("CONFLICT", `This appointment is ${row.status}; it cannot become ${status}.`);
    }
    if (!takesSlot(status)) await this.#release(tx, row, now);
    return {
      status,
      ...(status === "cancelled" ? { cancelled_at: now } : {}),
      ...(status === "completed" ? { completed_at: now } : {}),
    };
  }

  /** Null if the appointment already has this slot, even if the session is long over. */
  async #otherSlot(tx: Tx, row: Appointment, slotId: string): Promise<BookableSlot | null> {
    const { clock } = this.deps;
    const { calendarId, date } = datedSlotOf(slotId);
    if (calendarId === row.window_id && date === row.date) return null;
    return bookableSlot(tx, clock, row.organisation_id, slotId);
  }

  async #move(tx: Tx, row: Appointment, slot: BookableSlot, now: number, callId: string | null): Promise<Patch> {
    // The agent moves within its share of slots; a move by hand may use any free slot.
    const moved_by_hand_at = callId === null ? now : null;
    // Takes the new slot first: if it is full, the appointment keeps the old one.
    await takeSlot(tx, slot, shareOf({ source: row.source, moved_by_hand_at }), now, callId);
    await this.#release(tx, row, now);
    await this.deps.slotEvents.dateChanged(tx, slot.window, slot.date, now);
    // A no-show with a new date becomes confirmed again. The contact's earlier answers were about the old date.
    return {
      ...slotColumns(slot),
      moved_by_hand_at,
      ...(row.status === "no_show" ? { status: "confirmed" as const } : {}),
      contact_confirmed_at: null,
      change_requested_at: null,
      contact_moved_at: callId === null ? null : now,
    };
  }

  #release(tx: Tx, row: Appointment, now: number): Promise<void> {
    return releaseSlot(tx, this.deps.slotEvents, row, now);
  }

  /** The service of the appointment in its new window. */
  async #serviceIn(
    tx: Tx,
    row: Appointment,
    slot: BookableSlot | null,
    asked: string | null,
    now: number,
  ): Promise<string | null> {
    const { organisation_id, window_id } = row;
    const window = slot?.window ?? (window_id === null ? undefined : await windowOf(tx, organisation_id, window_id));
    const wanted = asked?.toLowerCase() ?? null;
    const serviceId = window ? serviceOf(window, wanted) : wanted;
    if (serviceId !== null) await registerAppointmentType(tx, row.organisation_id, serviceId, now);
    return serviceId;
  }
}

/** Releases the slot of an appointment, and publishes the new fill. */
export async function releaseSlot(tx: Tx, slotEvents: SlotEvents, row: Appointment, now: number): Promise<void> {
  const { organisation_id, window_id, date } = row;
  if (window_id === null) return;
  await giveBack(tx, window_id, date, shareOf(row), now);
  const window = await windowOf(tx, organisation_id, window_id);
  if (!window) return;
  await slotEvents.dateChanged(tx, window, date, now);
  await slotEvents.opened(tx, window, date, now);
}

export const unknownAppointment = () => new AppError("NOT_FOUND", "There is no appointment with this id.");

export async function viewOf(executor: Executor, row: Appointment): Promise<AppointmentView> {
  const { organisation_id, branch_id, appointment_type_id } = row;
  return appointmentView(
    row,
    await appointmentTypeName(executor, organisation_id, appointment_type_id),
    await zoneOf(executor, organisation_id, branch_id),
  );
}

/** A window restricted to one service sets it; a request for another service is rejected. */
export function serviceOf(window: BookingWindow, asked: string | null): string | null {
  if (window.appointment_type_id === null) return asked;
  if (asked === null || asked === window.appointment_type_id) return window.appointment_type_id;
  throw invalidField("appointment_type_id", "This window is restricted to another service.");
}

function slotColumns({ window, date }: BookableSlot) {
  return {
    window_id: window.id,
    branch_id: window.branch_id,
    date,
    start_time: window.start_time,
    end_time: window.end_time,
    batch: window.batch,
  };
}

function answerColumns(answer: ContactAnswer, now: number): Patch {
  // The contact took back an earlier answer of the same call.
  if (answer === "withdrawn") return { contact_confirmed_at: null, change_requested_at: null };
  if (answer === "cancelled")
    return { contact_confirmed_at: null, change_requested_at: null, contact_cancelled_at: now };
  return answer === "confirmed"
    ? { contact_confirmed_at: now, change_requested_at: null }
    : { contact_confirmed_at: null, change_requested_at: now };
}

export function eventFor(before: Appointment["status"], after: Appointment["status"]): EventType {
  if (before !== after && (after === "cancelled" || after === "completed")) return `appointment.${after}`;
  return "appointment.updated";
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
