// Appointment service: create, read, change, reschedule, cancel, complete. State, capacity and events commit together.
import type { Actor } from "../core/actor.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { assertUnchanged } from "../core/entity-tag.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Reach } from "../core/reach.ts";
import { assertDiallable } from "../core/phone.ts";
import type { Alongside } from "../db/alongside.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Appointment } from "../payloads/appointment.ts";
import type { WishAnswer } from "../payloads/source.ts";
import { AppointmentChanges, unknownAppointment, viewOf, type ChangeDeps } from "./appointment-changes.ts";
import {
  appointmentOf,
  appointmentOfCall,
  expectedIn,
  isAppointmentWithin,
  listAppointments,
  type AppointmentFilter,
} from "./appointment-store.ts";
import { bookableSlot, type Source } from "./booking.ts";
import { MirroredChanges } from "./mirrored-changes.ts";
import { MirroredPatients } from "./mirrored-patients.ts";
import { decodeCursor, encodeCursor, pageSize } from "../core/pages.ts";
import { datedSlotOf, isCalendarDate } from "./slot-id.ts";
import { isSamePerson, type ContactOf } from "./same-person.ts";
import type {
  CreateAppointmentInput,
  ListAppointmentsInput,
  PatchAppointmentInput,
  SearchAppointmentsInput,
} from "./model.ts";

export type AppointmentQuestion = Omit<AppointmentFilter, "organisationId" | "before" | "limit">;

/** Whether one person may be booked twice in one window on one date. Staff must confirm it; API clients may do it. */
export type Twice = "allowed" | "asked-first";

export interface BookingOptions {
  twice?: Twice;
  /** Runs first in the transaction, for example to free the place that the booking takes. */
  first?: (tx: Tx) => Promise<void>;
  /** Commits with the appointment. */
  alongside?: Alongside<Appointment>;
}

export interface AppointmentServiceDeps extends ChangeDeps {
  db: Database;
  readNotes: ReadNotes;
  wake: () => void;
}

export class AppointmentService {
  /** Runs in the caller's transaction, so the agent's booking can commit together with the end of its call. */
  readonly within: AppointmentChanges;
  /** The same for what the hospital's own systems say. */
  readonly mirrored: MirroredChanges;
  readonly mirroredPatients: MirroredPatients;

  constructor(private readonly deps: AppointmentServiceDeps) {
    this.within = new AppointmentChanges(deps);
    this.mirrored = new MirroredChanges(deps);
    this.mirroredPatients = new MirroredPatients(deps.clock, this.mirrored);
  }

  async create(
    organisationId: string,
    input: CreateAppointmentInput,
    source: Source,
    actor: Actor,
    { twice = "allowed", first, alongside = async () => {} }: BookingOptions = {},
  ): Promise<Appointment> {
    const { db, clock, wake } = this.deps;
    assertSound(input);
    const created = await db.write(async (tx) => {
      await first?.(tx);
      const slot = await bookableSlot(tx, clock, organisationId, input.slot_id);
      if (twice === "asked-first") await assertFirst(tx, organisationId, input.slot_id, input);
      const view = await viewOf(tx, await this.within.book(tx, organisationId, slot, input, source, actor));
      await alongside(tx, view);
      return view;
    });
    wake();
    return created;
  }

  async get(organisationId: string, id: string, actor: Actor): Promise<Appointment> {
    const { db, readNotes } = this.deps;
    const row = await appointmentOf(db.reader, organisationId, id);
    if (!row) throw unknownAppointment();
    await readNotes.note({ organisationId, actor, action: "appointment.read", subjectId: id });
    return viewOf(db.reader, row);
  }

  async list(organisationId: string, input: ListAppointmentsInput, actor: Actor) {
    if (input.external_id !== undefined && input.source_id === undefined)
      throw invalidField("source_id", "source_id is required with external_id: an id belongs to a source.");
    const filter = {
      branchId: input.branch_id?.toLowerCase(),
      appointmentTypeId: input.appointment_type_id?.toLowerCase(),
      contactNumber: input.contact_number?.replace(/^ /, "+"),
      callId: input.call_id,
      sourceId: input.source_id,
      externalId: input.external_id,
    };
    return this.#page(organisationId, { ...input, limit: pageSize(input.limit) }, filter, actor);
  }

  /** As `list`, for what must not stand in a URL. */
  search(organisationId: string, input: SearchAppointmentsInput, actor: Actor) {
    const { system, value } = input.identifier;
    const identifier = { system: system.trim(), value: value.trim() };
    return this.#page(organisationId, { ...input, limit: pageSize(input.limit?.toString()) }, { identifier }, actor);
  }

  /** As `list`, for the hospital's own systems. Dates are checked already. */
  find(
    organisationId: string,
    filter: AppointmentQuestion,
    page: { cursor: string | undefined; limit: number },
    actor: Actor,
  ) {
    return this.#page(organisationId, { ...filter, ...page }, filter, actor);
  }

  async #page(
    organisationId: string,
    input: Partial<AppointmentQuestion> & { cursor?: string | undefined; limit: number },
    narrowed: Partial<AppointmentFilter>,
    actor: Actor,
  ) {
    const { db, readNotes } = this.deps;
    const { limit } = input;
    const rows = await listAppointments(db.heavy, {
      ...narrowed,
      organisationId,
      reach: actor.reach,
      status: input.status,
      from: checkedDate("from", input.from),
      to: checkedDate("to", input.to),
      before: input.cursor === undefined ? undefined : decodeCursor(input.cursor, input),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    await readNotes.note({ organisationId, actor, action: "appointment.listed", detail: { count: page.length } });
    return {
      data: await Promise.all(page.map((row) => viewOf(db.reader, row))),
      next_cursor:
        rows.length > limit && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, input) : null,
    };
  }

  /** A new slot_id reschedules; a new status completes, cancels or marks as a no-show. */
  async update(
    organisationId: string,
    id: string,
    input: PatchAppointmentInput,
    actor: Actor,
    twice: Twice = "allowed",
  ): Promise<Appointment> {
    const { db, wake } = this.deps;
    if (Object.keys(input).length === 0) {
      throw new AppError(
        "VALIDATION_ERROR",
        "At least one field is needed: slot_id, status, appointment_type_id, contact_name, contact_number, contact_email, contact_identifiers, contact_time_zone, contact_region, notes, practitioner, external_id, source_id or wish.",
      );
    }
    assertSound(input);
    const changed = await db.write(async (tx) => {
      const row = await appointmentOf(tx, organisationId, id);
      if (row && actor.basedOn !== undefined) assertUnchanged(actor, await viewOf(tx, row));
      if (twice === "asked-first" && input.slot_id !== undefined) {
        if (row) await assertFirst(tx, organisationId, input.slot_id, row, id);
      }
      return viewOf(tx, await this.within.change(tx, organisationId, id, input, actor));
    });
    wake();
    return changed;
  }

  /** A change by `within`, in a transaction of the caller. */
  async changing<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const result = await this.deps.db.write(work);
    this.deps.wake();
    return result;
  }

  /** The source's answer to a wish. */
  async answerWish(organisationId: string, id: string, state: WishAnswer, actor: Actor): Promise<Appointment> {
    const { db, wake } = this.deps;
    const answered = await db.write(async (tx) =>
      viewOf(tx, await this.mirrored.answerWish(tx, organisationId, id, state, actor)),
    );
    wake();
    return answered;
  }

  /** For the events and the page of a call. */
  async ofCall(executor: Executor, callId: string, reach?: Reach): Promise<Appointment | null> {
    const row = await appointmentOfCall(executor, callId);
    if (row && reach && !(await isAppointmentWithin(executor, row.id, reach))) return null;
    return row ? viewOf(executor, row) : null;
  }
}

export const createAppointmentService = (deps: AppointmentServiceDeps): AppointmentService =>
  new AppointmentService(deps);

/** Checks that need no database: the format of slot_id, then the number. */
function assertSound({ slot_id, contact_number }: PatchAppointmentInput): void {
  if (slot_id !== undefined) datedSlotOf(slot_id);
  if (contact_number !== undefined && contact_number !== null) assertDiallable(contact_number, "contact_number");
}

async function assertFirst(
  tx: Tx,
  organisationId: string,
  slotId: string,
  contact: ContactOf,
  except?: string,
): Promise<void> {
  const { calendarId, date } = datedSlotOf(slotId);
  const there = await expectedIn(tx, organisationId, calendarId, date);
  if (!there.some((row) => row.id !== except && isSamePerson(row, contact))) return;
  const message = "This person is booked in this window on this date already.";
  throw new AppError("CONFLICT", message, { details: [{ field: "twice", message }] });
}

function checkedDate(field: string, text: string | undefined): string | undefined {
  if (text !== undefined && !isCalendarDate(text)) throw invalidField(field, `${field} must be a date as YYYY-MM-DD.`);
  return text;
}
