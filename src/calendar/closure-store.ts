// Closures in the database.
import { sql } from "kysely";
import type { Position } from "../core/pages.ts";
import { prepared } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import type { DateRange } from "./days.ts";
import type { Appointment, BookingWindow, Closure, ClosurePerson, ClosureState } from "./records.ts";

/** Rows per command; see the writer. */
const MOST_ROWS = 250;
/** Limit of closures being closed or reopened at one time, over all organisations. */
const MOST_AT_WORK = 1_000;

export interface ClosureScope {
  organisationId: string;
  branchIds: readonly string[];
  windowId: string | null;
  range: DateRange;
}

export async function insertClosure(tx: Tx, row: Closure, branchIds: readonly string[]): Promise<void> {
  await tx.insertInto("closures").values(row).execute();
  await tx
    .insertInto("closure_branches")
    .values(branchIds.map((branch_id) => ({ closure_id: row.id, branch_id })))
    .execute();
}

export async function insertPeople(tx: Tx, rows: readonly ClosurePerson[]): Promise<void> {
  for (let i = 0; i < rows.length; i += MOST_ROWS) {
    await tx
      .insertInto("closure_people")
      .values(rows.slice(i, i + MOST_ROWS))
      .onConflict((conflict) => conflict.columns(["closure_id", "appointment_id"]).doNothing())
      .execute();
  }
}

/**
 * Of these appointments, those that another closure of the same days moves or calls, or has moved or called. Two users
 * may close the same day at once, and no contact is called twice about it.
 */
export async function lookedAfter(
  executor: Executor,
  closure: Pick<Closure, "id" | "organisation_id" | "from_date" | "to_date">,
  appointmentIds: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let i = 0; i < appointmentIds.length; i += MOST_ROWS) {
    const rows = await executor
      .selectFrom("closures")
      .innerJoin("closure_people", "closure_people.closure_id", "closures.id")
      .select("closure_people.appointment_id")
      .where("closures.organisation_id", "=", closure.organisation_id)
      .where("closures.to_date", ">=", closure.from_date)
      .where("closures.from_date", "<=", closure.to_date)
      .where("closures.id", "!=", closure.id)
      .where("closures.state", "in", ["closing", "moving", "calling", "closed"])
      .where("closure_people.appointment_id", "in", appointmentIds.slice(i, i + MOST_ROWS))
      .where("closure_people.choice", "in", ["move", "call"])
      .where("closure_people.state", "in", ["waiting", "done"])
      .execute();
    for (const { appointment_id } of rows) found.add(appointment_id);
  }
  return found;
}

export async function closureOf(executor: Executor, organisationId: string, id: string): Promise<Closure | undefined> {
  return executor
    .selectFrom("closures")
    .selectAll()
    .where("id", "=", id)
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
}

// Literals, because SQLite does not use its partial index with a parameter.
const AT_WORK = (["closing", "moving", "calling", "reopening"] satisfies ClosureState[]).map((state) => sql.lit(state));

const selectAtWork = prepared<{ limit: number }>()((db, { limit }) =>
  db.selectFrom("closures").selectAll().where("state", "in", AT_WORK).orderBy("id").limit(limit),
);

/** For internal work; requests use closureOf. */
export async function closureById(executor: Executor, id: string): Promise<Closure | undefined> {
  return executor.selectFrom("closures").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The oldest closure in one of these states. */
export async function closureAtWork(executor: Executor, states: readonly ClosureState[]): Promise<Closure | undefined> {
  const atWork = await selectAtWork(executor, { limit: MOST_AT_WORK });
  return atWork.find(({ state }) => states.includes(state));
}

/** Closures that are not over on a date, soonest first. */
export async function closuresFrom(
  executor: Executor,
  organisationId: string,
  date: string,
  limit: number,
): Promise<Closure[]> {
  return executor
    .selectFrom("closures")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("to_date", ">=", date)
    .orderBy("from_date")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** All closures, newest first. */
export async function closuresBefore(
  executor: Executor,
  organisationId: string,
  before: Position | undefined,
  limit: number,
): Promise<Closure[]> {
  let query = executor.selectFrom("closures").selectAll().where("organisation_id", "=", organisationId);
  if (before)
    query = query.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.tuple(before.createdAt, before.id)));
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function branchesOfClosures(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor.selectFrom("closure_branches").selectAll().where("closure_id", "in", ids).execute();
}

export async function peopleCounts(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor
    .selectFrom("closure_people")
    .select((eb) => ["closure_id", "choice", "state", eb.fn.countAll<number>().as("count")])
    .where("closure_id", "in", ids)
    .groupBy(["closure_id", "choice", "state"])
    .execute();
}

export async function updateClosure(
  tx: Tx,
  id: string,
  change: Partial<Pick<Closure, "state" | "campaign_id">> & { updated_at: number },
): Promise<void> {
  await tx.updateTable("closures").set(change).where("id", "=", id).execute();
}

/** The windows in a closure's scope. */
export async function windowsInScope(executor: Executor, scope: ClosureScope): Promise<BookingWindow[]> {
  let query = executor
    .selectFrom("windows")
    .selectAll()
    .where("organisation_id", "=", scope.organisationId)
    .where("branch_id", "in", scope.branchIds);
  if (scope.windowId !== null) query = query.where("id", "=", scope.windowId);
  return query.orderBy("branch_id").orderBy("day").orderBy("start_time").orderBy("id").execute();
}

/** Confirmed appointments in windows of the scope, in order of date and time. */
export async function expectedInScope(executor: Executor, scope: ClosureScope, limit: number): Promise<Appointment[]> {
  let query = executor
    .selectFrom("appointments")
    .selectAll()
    .where("organisation_id", "=", scope.organisationId)
    .where("branch_id", "in", scope.branchIds)
    .where("date", ">=", scope.range.from)
    .where("date", "<=", scope.range.to)
    .where("status", "=", "confirmed")
    .where("window_id", "is not", null);
  if (scope.windowId !== null) query = query.where("window_id", "=", scope.windowId);
  return query.orderBy("date").orderBy("start_time").orderBy("created_at").orderBy("id").limit(limit).execute();
}

export async function closureDates(executor: Executor, closureId: string): Promise<Row<"closure_dates">[]> {
  return executor.selectFrom("closure_dates").selectAll().where("closure_id", "=", closureId).execute();
}

export async function someClosureDates(executor: Executor, closureId: string, limit: number) {
  return executor
    .selectFrom("closure_dates")
    .selectAll()
    .where("closure_id", "=", closureId)
    .orderBy("window_id")
    .orderBy("date")
    .limit(limit)
    .execute();
}

/** Whether a closure keeps this window closed on this date. */
export async function isClosedDay(executor: Executor, windowId: string, date: string): Promise<boolean> {
  const row = await executor
    .selectFrom("closure_dates")
    .select("date")
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isDateOf(
  executor: Executor,
  closureId: string,
  windowId: string,
  date: string,
): Promise<boolean> {
  const row = await executor
    .selectFrom("closure_dates")
    .select("date")
    .where("closure_id", "=", closureId)
    .where("window_id", "=", windowId)
    .where("date", "=", date)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertClosureDate(tx: Tx, row: Row<"closure_dates">): Promise<void> {
  await tx.insertInto("closure_dates").values(row).execute();
}

export async function deleteClosureDate(tx: Tx, { closure_id, window_id, date }: Row<"closure_dates">): Promise<void> {
  await tx
    .deleteFrom("closure_dates")
    .where("closure_id", "=", closure_id)
    .where("window_id", "=", window_id)
    .where("date", "=", date)
    .execute();
}

/** Another closure that keeps the same date closed. */
export async function otherClosureOn(
  executor: Executor,
  row: Row<"closure_dates">,
): Promise<Row<"closure_dates"> | undefined> {
  return executor
    .selectFrom("closure_dates")
    .selectAll()
    .where("window_id", "=", row.window_id)
    .where("date", "=", row.date)
    .where("closure_id", "!=", row.closure_id)
    .orderBy("closure_id")
    .limit(1)
    .executeTakeFirst();
}

export async function setStatusBefore(tx: Tx, row: Row<"closure_dates">): Promise<void> {
  await tx
    .updateTable("closure_dates")
    .set({ status_before: row.status_before })
    .where("closure_id", "=", row.closure_id)
    .where("window_id", "=", row.window_id)
    .where("date", "=", row.date)
    .execute();
}

export async function peopleOf(
  executor: Executor,
  closureId: string,
  filter: { choice?: ClosurePerson["choice"]; state?: ClosurePerson["state"]; limit: number },
): Promise<ClosurePerson[]> {
  let query = executor.selectFrom("closure_people").selectAll().where("closure_id", "=", closureId);
  if (filter.state !== undefined) query = query.where("state", "=", filter.state);
  if (filter.choice !== undefined) query = query.where("choice", "=", filter.choice);
  return query.orderBy("date").orderBy("appointment_id").limit(filter.limit).execute();
}

export async function updatePerson(
  tx: Tx,
  { closure_id, appointment_id }: Pick<ClosurePerson, "closure_id" | "appointment_id">,
  change: Partial<Pick<ClosurePerson, "state" | "to_window_id" | "to_date">>,
): Promise<void> {
  await tx
    .updateTable("closure_people")
    .set(change)
    .where("closure_id", "=", closure_id)
    .where("appointment_id", "=", appointment_id)
    .execute();
}

/** Closures that cover a window of this branch that is created or moved now. */
export async function closuresOver(
  executor: Executor,
  organisationId: string,
  branchId: string,
  from: string,
): Promise<Closure[]> {
  return executor
    .selectFrom("closures")
    .innerJoin("closure_branches", "closure_branches.closure_id", "closures.id")
    .selectAll("closures")
    .where("closures.organisation_id", "=", organisationId)
    .where("closures.to_date", ">=", from)
    .where("closures.window_id", "is", null)
    .where("closures.state", "in", ["closing", "moving", "calling", "closed"])
    .where("closure_branches.branch_id", "=", branchId)
    .orderBy("closures.id")
    .execute();
}
