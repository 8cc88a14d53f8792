// Store of reminder rules.
import { prepared } from "../db/prepared.ts";
import type { Appointment } from "../calendar/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { ruleMeaning, type PlanPlace, type ReminderRule } from "./records.ts";

export async function insertRule(tx: Tx, row: ReminderRule): Promise<void> {
  await tx.insertInto("reminder_rules").values(ruleMeaning.write(row)).execute();
}

export async function updateRule(
  tx: Tx,
  id: string,
  change: Partial<Omit<ReminderRule, "id" | "organisation_id">>,
): Promise<void> {
  await tx.updateTable("reminder_rules").set(ruleMeaning.write(change)).where("id", "=", id).execute();
}

const selectRule = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("reminder_rules").selectAll().where("id", "=", id),
);

/** Includes deleted rules, because their reminders are still shown. */
export async function ruleById(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<ReminderRule | undefined> {
  const [row] = await selectRule(executor, { id });
  return row?.organisation_id === organisationId ? ruleMeaning.read(row) : undefined;
}

const selectRules = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("reminder_rules")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id"),
);

/** Runs at every booking. */
export async function rulesOf(executor: Executor, organisationId: string): Promise<ReminderRule[]> {
  return ruleMeaning.readAll(await selectRules(executor, { organisationId }));
}

const selectToPlan = prepared<object>()((db) =>
  db.selectFrom("reminder_rules").selectAll().where("plan_after", "is not", null).orderBy("id").limit(1),
);

/** A rule that changed since all appointments were compared with it. */
export async function ruleToPlan(executor: Executor): Promise<ReminderRule | undefined> {
  const [rule] = await selectToPlan(executor, {});
  return rule && ruleMeaning.read(rule);
}

/** Marks rules for comparison with all appointments, because the time zone of a branch changed. */
export async function planAgain(tx: Tx, organisationId: string, start: PlanPlace): Promise<void> {
  const { plan_after } = ruleMeaning.write({ plan_after: start });
  await tx
    .updateTable("reminder_rules")
    .set((eb) => ({ plan_after, revision: eb("revision", "+", 1) }))
    .where("organisation_id", "=", organisationId)
    .where("deleted_at", "is", null)
    .execute();
}

export interface AppointmentPage {
  organisationId: string;
  branchId: string;
  appointmentTypeId: string | null;
  /** First date. */
  from: string;
  to?: string;
  after?: Pick<Appointment, "date" | "start_time" | "id"> | undefined;
  limit: number;
}

/** Confirmed appointments of a branch, soonest first, by the index of the calendar's days. */
export async function expectedAppointments(executor: Executor, page: AppointmentPage): Promise<Appointment[]> {
  const { after } = page;
  let query = executor
    .selectFrom("appointments")
    .selectAll()
    .where("organisation_id", "=", page.organisationId)
    .where("branch_id", "=", page.branchId)
    .where("date", ">=", after?.date ?? page.from)
    .where("status", "=", "confirmed");
  if (page.to !== undefined) query = query.where("date", "<=", page.to);
  if (page.appointmentTypeId !== null) query = query.where("appointment_type_id", "=", page.appointmentTypeId);
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb("date", ">", after.date),
        eb.and([eb("date", "=", after.date), eb("start_time", ">", after.start_time)]),
        eb.and([eb("date", "=", after.date), eb("start_time", "=", after.start_time), eb("id", ">", after.id)]),
      ]),
    );
  }
  return query.orderBy("date").orderBy("start_time").orderBy("id").limit(page.limit).execute();
}
