// Store of reminders.
import { appointmentWithin } from "../accounts/reach-store.ts";
import type { Reach } from "../core/reach.ts";
import { sql } from "kysely";
import { prepared } from "../db/prepared.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { reminderMeaning, type Reminder } from "./records.ts";

const OPEN = [sql.lit("pending" as const), sql.lit("calling" as const)];
const CLOSED = [sql.lit("done" as const), sql.lit("cancelled" as const)];

/** False if this rule already has a reminder for this time. */
export async function insertReminder(tx: Tx, row: Reminder): Promise<boolean> {
  const result = await tx
    .insertInto("reminders")
    .values(reminderMeaning.write(row))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export type ReminderChange = Partial<Omit<Reminder, "id" | "organisation_id" | "created_at">> & {
  updated_at: number;
};

export async function updateReminder(tx: Tx, id: string, change: ReminderChange): Promise<void> {
  await tx.updateTable("reminders").set(reminderMeaning.write(change)).where("id", "=", id).execute();
}

const selectReminder = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("reminders").selectAll().where("id", "=", id),
);

export async function reminderById(executor: Executor, id: string): Promise<Reminder | undefined> {
  const [row] = await selectReminder(executor, { id });
  return row && reminderMeaning.read(row);
}

const selectOfAppointment = prepared<{ appointmentId: string }>()((db, { appointmentId }) =>
  db.selectFrom("reminders").selectAll().where("appointment_id", "=", appointmentId).orderBy("id"),
);

export async function remindersOfAppointment(executor: Executor, appointmentId: string): Promise<Reminder[]> {
  return reminderMeaning.readAll(await selectOfAppointment(executor, { appointmentId }));
}

/** Rows per statement. */
const AT_ONCE = 250;

/** Reminders of these appointments whose call is planned or live. */
export async function remindersCalling(executor: Executor, appointmentIds: readonly string[]): Promise<Reminder[]> {
  const found: Reminder[] = [];
  for (let at = 0; at < appointmentIds.length; at += AT_ONCE) {
    const rows = await executor
      .selectFrom("reminders")
      .selectAll()
      .where("appointment_id", "in", appointmentIds.slice(at, at + AT_ONCE))
      .where("state", "=", "calling")
      .execute();
    found.push(...reminderMeaning.readAll(rows));
  }
  return found;
}

const selectOfCall = prepared<{ callId: string }>()((db, { callId }) =>
  db.selectFrom("reminders").selectAll().where("call_id", "=", callId),
);

/** Runs at the end of every call. */
export async function reminderOfCall(executor: Executor, callId: string): Promise<Reminder | undefined> {
  const [row] = await selectOfCall(executor, { callId });
  return row && reminderMeaning.read(row);
}

const selectDue = prepared<{ now: number; limit: number }>()((db, { now, limit }) =>
  db.selectFrom("reminders").selectAll().where("next_at", "<=", now).orderBy("next_at").orderBy("id").limit(limit),
);

export async function dueReminders(executor: Executor, now: number, limit: number): Promise<Reminder[]> {
  return reminderMeaning.readAll(await selectDue(executor, { now, limit }));
}

/** Cancels reminders due until then, because they may have been called already. Returns how many. */
export async function takeBackDue(
  tx: Tx,
  organisationId: string,
  until: number,
  outcome: string,
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("reminders")
    .set({ state: "cancelled", outcome, next_at: null, updated_at: now })
    .where("state", "=", sql.lit("pending" as const))
    .where("organisation_id", "=", organisationId)
    .where("next_at", "<=", until)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

const selectEarliest = prepared<object>()((db) =>
  db
    .selectFrom("reminders")
    .select("next_at")
    .where("next_at", "is not", null)
    .orderBy("next_at")
    .orderBy("id")
    .limit(sql.lit(1)),
);

export async function earliestReminder(executor: Executor): Promise<number | null> {
  const [row] = await selectEarliest(executor, {});
  return row?.next_at ?? null;
}

/** Open reminders planned by an older revision of the rule. */
export async function openOfOlderRule(
  executor: Executor,
  ruleId: string,
  revision: number,
  limit: number,
): Promise<Reminder[]> {
  const rows = await executor
    .selectFrom("reminders")
    .selectAll()
    .where("rule_id", "=", ruleId)
    .where("by_hand", "=", 0)
    .where("state", "in", OPEN)
    .where("rule_revision", "<", revision)
    .limit(limit)
    .execute();
  return reminderMeaning.readAll(rows);
}

/** Reminders with a live call stay as they are and are not compared again. */
export async function markCompared(tx: Tx, ids: readonly string[], revision: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.updateTable("reminders").set({ rule_revision: revision }).where("id", "in", ids).execute();
}

export interface ReminderPage {
  organisationId: string;
  /** Pending, soonest first, or past, newest first. */
  view: "next" | "past";
  ruleId?: string | undefined;
  reach?: Reach | undefined;
  after?: { at: number; id: string } | undefined;
  limit: number;
}

export type ShownReminder = Reminder &
  Pick<Appointment, "branch_id" | "appointment_type_id" | "contact_name" | "contact_number"> & {
    appointment_status: Appointment["status"];
  };

export async function pageOfReminders(executor: Executor, page: ReminderPage): Promise<ShownReminder[]> {
  const { view, ruleId, after } = page;
  const [column, direction, past] =
    view === "next" ? (["reminders.due_at", "asc", ">"] as const) : (["reminders.updated_at", "desc", "<"] as const);
  let query = executor
    .selectFrom("reminders")
    .innerJoin("appointments", "appointments.id", "reminders.appointment_id")
    .selectAll("reminders")
    .select([
      "appointments.branch_id",
      "appointments.appointment_type_id",
      "appointments.contact_name",
      "appointments.contact_number",
      "appointments.status as appointment_status",
    ])
    .where("reminders.organisation_id", "=", page.organisationId)
    .where("reminders.state", "in", view === "next" ? OPEN : CLOSED);
  if (ruleId !== undefined) query = query.where("reminders.rule_id", "=", ruleId);
  if (page.reach) query = query.where(appointmentWithin(page.reach));
  if (after) {
    query = query.where((eb) =>
      eb.or([eb(column, past, after.at), eb.and([eb(column, "=", after.at), eb("reminders.id", past, after.id)])]),
    );
  }
  const rows = await query.orderBy(column, direction).orderBy("reminders.id", direction).limit(page.limit).execute();
  return reminderMeaning.readAll(rows);
}

/** Number of open reminders per rule, and the due time of the first. */
export async function countsByRule(executor: Executor, organisationId: string) {
  return executor
    .selectFrom("reminders")
    .select("rule_id")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("due_at").as("first_at")])
    .where("organisation_id", "=", organisationId)
    .where("state", "in", OPEN)
    .where("by_hand", "=", 0)
    .groupBy("rule_id")
    .execute();
}

/** Erasure of a call: the reminder keeps its outcome and loses the call id. */
export async function forgetCall(tx: Tx, callId: string): Promise<void> {
  await tx.updateTable("reminders").set({ call_id: null }).where("call_id", "=", callId).execute();
}

/** A reminder past its retention, with the person of the appointment. */
export interface OldReminder {
  id: string;
  organisation_id: string;
  call_id: string | null;
  starts_at: number;
  contact_number: string | null;
}

/** Closed reminders of appointments that started before, in the order of their start, after `after`. */
export async function oldReminders(
  executor: Executor,
  before: number,
  limit: number,
  after: OldReminder | null,
): Promise<OldReminder[]> {
  let query = executor
    .selectFrom("reminders")
    .innerJoin("appointments", "appointments.id", "reminders.appointment_id")
    .select([
      "reminders.id",
      "reminders.organisation_id",
      "reminders.call_id",
      "reminders.starts_at",
      "appointments.contact_number",
    ])
    .where("reminders.starts_at", "<", before)
    .where("reminders.state", "in", CLOSED);
  if (after)
    query = query
      .where("reminders.starts_at", ">=", after.starts_at)
      .where((eb) =>
        eb.or([
          eb("reminders.starts_at", ">", after.starts_at),
          eb.and([eb("reminders.starts_at", "=", after.starts_at), eb("reminders.id", ">", after.id)]),
        ]),
      );
  return query.orderBy("reminders.starts_at").orderBy("reminders.id").limit(limit).execute();
}

export async function deleteReminders(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("reminders").where("id", "in", ids).execute();
}

/** The clock was set back: postponed reminders return to their due time. */
export async function replanReminders(tx: Tx): Promise<void> {
  await tx
    .updateTable("reminders")
    .set((eb) => ({ next_at: eb.ref("due_at") }))
    .where("state", "=", "pending")
    .where("next_at", ">", sql.ref<number>("due_at"))
    .execute();
}
