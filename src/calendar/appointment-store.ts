// Appointments in the database.
import { appointmentWithin } from "../accounts/reach-store.ts";
import type { Reach } from "../core/reach.ts";
import { sql } from "kysely";
import { bindingOf } from "../db/binding.ts";
import { behind } from "../db/index-slices.ts";
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { deleteEventsAbout } from "../events/order-store.ts";
import { identifiersIn, type Identifier } from "../payloads/identifiers.ts";
import { forgetIdentifiers, identifiedSubjects, noteIdentifiers } from "./identifier-store.ts";
import type { Appointment } from "./records.ts";

export async function insertAppointment(tx: Tx, row: Appointment): Promise<void> {
  await tx.insertInto("appointments").values(row).execute();
  if (row.contact_identifiers !== null)
    await noteIdentifiers(tx, subjectOf(row), identifiersIn(row.contact_identifiers));
}

const subjectOf = (row: Appointment) => ({
  id: row.id,
  organisationId: row.organisation_id,
  number: row.contact_number,
  name: row.contact_name,
  at: row.updated_at,
});

const selectAppointment = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("appointments").selectAll().where("id", "=", id),
);

export async function appointmentOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<Appointment | undefined> {
  const [row] = await selectAppointment(executor, { id });
  return row?.organisation_id === organisationId ? row : undefined;
}

export async function updateAppointment(
  tx: Tx,
  id: string,
  change: Partial<Omit<Appointment, "id" | "organisation_id">>,
): Promise<void> {
  await tx.updateTable("appointments").set(change).where("id", "=", id).execute();
  // A trigger does it where they are removed.
  if (typeof change.contact_identifiers === "string") await noteAnew(tx, id);
}

async function noteAnew(tx: Tx, id: string): Promise<void> {
  const [row] = await selectAppointment(tx, { id });
  await forgetIdentifiers(tx, id);
  if (row) await noteIdentifiers(tx, subjectOf(row), identifiersIn(row.contact_identifiers));
}

const selectOfCall = prepared<{ callId: string }>()((db, { callId }) => {
  const made = db
    .selectFrom("appointments")
    .select("id")
    .where("call_id", "=", callId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1);
  const about = db.selectFrom("calls").select("appointment_id").where("id", "=", callId);
  return db
    .selectFrom("appointments")
    .selectAll()
    .where("id", "=", ({ fn }) => fn.coalesce(made, about));
});

/** The latest appointment made in a call, otherwise the appointment the call was about. */
export async function appointmentOfCall(executor: Executor, callId: string): Promise<Appointment | undefined> {
  const [row] = await selectOfCall(executor, { callId });
  return row;
}

const selectExpected = prepared<{ windowId: string; date: string }>()((db, { windowId, date }) =>
  db
    .selectFrom("appointments")
    .selectAll()
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .where("status", "=", "confirmed")
    .orderBy("created_at")
    .orderBy("id"),
);

/** Confirmed appointments in a window on a date. */
export async function expectedIn(
  executor: Executor,
  organisationId: string,
  windowId: string,
  date: string,
): Promise<Appointment[]> {
  const rows = await selectExpected(executor, { windowId, date });
  return rows.filter(({ organisation_id }) => organisation_id === organisationId);
}

/** Number of confirmed appointments in a window from a date on, and the last of their dates. */
export async function expectedFrom(
  executor: Executor,
  windowId: string,
  from: string,
): Promise<{ people: number; last_date: string | null }> {
  return executor
    .selectFrom("appointments")
    .select((eb) => [eb.fn.countAll<number>().as("people"), eb.fn.max("date").as("last_date")])
    .where("window_id", "=", windowId)
    .where("date", ">=", from)
    .where("status", "=", "confirmed")
    .executeTakeFirstOrThrow();
}

/** Limit of a contact's upcoming appointments. */
const MOST_OF_CONTACT = 10;

const selectOfContact = prepared<{ organisationId: string; contactNumber: string; from: string; limit: number }>()(
  (db, { organisationId, contactNumber, from, limit }) =>
    db
      .selectFrom("appointments")
      .selectAll()
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", contactNumber)
      .where("date", ">=", from)
      .where("status", "=", "confirmed")
      .orderBy("date")
      .orderBy("start_time")
      .orderBy("id")
      .limit(limit),
);

/** A contact's upcoming appointments from a date on, soonest first. */
export async function appointmentsOfContact(
  executor: Executor,
  organisationId: string,
  contactNumber: string,
  from: string,
): Promise<Appointment[]> {
  return selectOfContact(executor, { organisationId, contactNumber, from, limit: MOST_OF_CONTACT });
}

export type NextAppointment = Pick<Appointment, "date" | "start_time" | "branch_id">;

/**
 * The next appointment of each of these contacts from a date on, keyed by number. One statement for any number of
 * contacts.
 */
export async function nextAppointmentsAmong(
  executor: Executor,
  organisationId: string,
  contactNumbers: readonly string[],
  from: string,
  reach?: Reach,
): Promise<Map<string, NextAppointment>> {
  if (contactNumbers.length === 0) return new Map();
  const rows = await executor
    .selectFrom((eb) =>
      eb
        .selectFrom("appointments")
        .select((own) => [
          "contact_number",
          "date",
          "start_time",
          "branch_id",
          own.fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("contact_number").orderBy("date").orderBy("start_time").orderBy("id"))
            .as("place"),
        ])
        .where("organisation_id", "=", organisationId)
        .where("contact_number", "in", contactNumbers)
        .where("date", ">=", from)
        .where("status", "=", "confirmed")
        .$if(reach !== undefined, (query) => (reach ? query.where(appointmentWithin(reach)) : query))
        .as("expected"),
    )
    .select(["contact_number", "date", "start_time", "branch_id"])
    .where("place", "=", 1)
    .execute();
  return new Map(rows.map(({ contact_number, ...next }) => [contact_number ?? "", next]));
}

export type BookedSearch = { date: string } | { id: string };

/** Contacts of the matching appointments, latest booking first. */
export async function bookedContacts(
  executor: Executor,
  organisationId: string,
  search: BookedSearch,
  limit: number,
  reach?: Reach,
): Promise<{ number: string; name: string | null; at: number }[]> {
  const rows = await executor
    .selectFrom("appointments")
    .select(["contact_number as number", "contact_name as name", "created_at as at"])
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "is not", null)
    .where((eb) => ("date" in search ? eb("date", "=", search.date) : eb("id", "=", search.id)))
    .$if(reach !== undefined, (query) => (reach ? query.where(appointmentWithin(reach)) : query))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap(({ number, name, at }) => (number === null ? [] : [{ number, name, at }]));
}

/** Erasure of a person: their appointments stay booked, without personal data. */
export async function forgetContact(tx: Tx, organisationId: string, number: string, now: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("appointments")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .execute();
  const ids = rows.map(({ id }) => id);
  await forgetContacts(tx, ids, now);
  return ids;
}

export interface AppointmentFilter {
  organisationId: string;
  /** Absent: the whole organisation. */
  reach?: Reach | undefined;
  status?: Appointment["status"] | undefined;
  branchId?: string | undefined;
  appointmentTypeId?: string | undefined;
  contactNumber?: string | undefined;
  identifier?: Identifier | undefined;
  callId?: string | undefined;
  sourceId?: string | undefined;
  externalId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  updatedFrom?: number | undefined;
  updatedBefore?: number | undefined;
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

export async function isAppointmentWithin(executor: Executor, id: string, reach: Reach): Promise<boolean> {
  const query = executor.selectFrom("appointments").select("id").where("id", "=", id).where(appointmentWithin(reach));
  return (await query.executeTakeFirst()) !== undefined;
}

/** Newest first. */
export async function listAppointments(executor: Executor, filter: AppointmentFilter): Promise<Appointment[]> {
  const { status, branchId, appointmentTypeId, contactNumber, callId, from, to, before } = filter;
  // With an identifier, the plus sign keeps SQLite from reading the organisation's appointments one after the other.
  const isFew = filter.identifier !== undefined && bindingOf(executor).engine === "sqlite";
  const organisation = isFew ? sql<string>`+organisation_id` : sql.ref<string>("organisation_id");
  let query = executor.selectFrom("appointments").selectAll().where(organisation, "=", filter.organisationId);
  if (filter.reach) query = query.where(appointmentWithin(filter.reach));
  if (status !== undefined) query = query.where("status", "=", status);
  if (branchId !== undefined) query = query.where("branch_id", "=", branchId);
  if (appointmentTypeId !== undefined) query = query.where("appointment_type_id", "=", appointmentTypeId);
  if (contactNumber !== undefined) query = query.where("contact_number", "=", contactNumber);
  if (filter.identifier !== undefined)
    query = query.where("id", "in", identifiedSubjects(executor, filter.organisationId, filter.identifier));
  if (callId !== undefined) query = query.where("call_id", "=", callId);
  if (filter.sourceId !== undefined) query = query.where("source_id", "=", filter.sourceId);
  if (filter.externalId !== undefined) query = query.where("external_id", "=", filter.externalId);
  if (from !== undefined) query = query.where("date", ">=", from);
  if (to !== undefined) query = query.where("date", "<=", to);
  if (filter.updatedFrom !== undefined) query = query.where("updated_at", ">=", filter.updatedFrom);
  if (filter.updatedBefore !== undefined) query = query.where("updated_at", "<", filter.updatedBefore);
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("created_at", "<", before.createdAt),
        eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
      ]),
    );
  }
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(filter.limit).execute();
}

/** The contact's data, erased. */
const FORGOTTEN = {
  contact_name: null,
  contact_number: null,
  contact_email: null,
  contact_identifiers: null,
  notes: null,
  contact_time_zone: null,
  contact_region: null,
  wish_text: null,
} satisfies Partial<Appointment>;

/** Erasure of a call: the slot stays booked, but the contact's data is deleted, with every event that contains it. */
export async function forgetContactsOfCall(tx: Tx, callId: string): Promise<void> {
  const appointments = await tx
    .selectFrom("appointments")
    .select("id")
    .where((eb) => eb.or([eb("call_id", "=", callId), eb("wish_call_id", "=", callId)]))
    .execute();
  await deleteEventsAbout(tx, { appointmentIds: appointments.map(({ id }) => id) });
  await tx.deleteFrom("slot_holds").where("call_id", "=", callId).execute();
  await tx
    .updateTable("appointments")
    .set({ ...FORGOTTEN, call_id: null })
    .where("call_id", "=", callId)
    .execute();
  await tx
    .updateTable("appointments")
    .set({ wish_call_id: null, wish_text: null })
    .where("wish_call_id", "=", callId)
    .execute();
}

export type OldAppointment = Pick<Appointment, "id" | "organisation_id" | "date" | "call_id" | "contact_number">;

/** Oldest dates first, after the last one of the slice before. */
export async function appointmentsToForget(
  executor: Executor,
  lastDate: string,
  limit: number,
  after: OldAppointment | null,
): Promise<OldAppointment[]> {
  let query = executor
    .selectFrom("appointments")
    .select(["id", "organisation_id", "date", "call_id", "contact_number"])
    .where("contact_forgotten_at", "is", null)
    .where("date", "<=", lastDate);
  if (after) query = query.where(behind(["date", "id"], after));
  return query.orderBy("date").orderBy("id").limit(limit).execute();
}

/** Retention: the bookings stay; contact data is deleted with every event that contains it. */
export async function forgetContacts(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await deleteEventsAbout(tx, { appointmentIds: ids });
  await tx
    .updateTable("appointments")
    .set({ ...FORGOTTEN, wish_call_id: null, contact_forgotten_at: now })
    .where("id", "in", ids)
    .execute();
}
