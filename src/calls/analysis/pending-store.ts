// Store of pending analyses.
import { prepared } from "../../db/prepared.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

export async function insertPending(tx: Tx, row: Row<"pending_analyses">): Promise<void> {
  await tx.insertInto("pending_analyses").values(row).execute();
}

const selectNearest = prepared<object>()((db) =>
  db.selectFrom("pending_analyses").select("deadline_at").orderBy("deadline_at").limit(1),
);

/** Null if none is pending. Runs in every round of the scheduler. */
export async function nearestDeadline(executor: Executor): Promise<number | null> {
  const [row] = await selectNearest(executor, {});
  return row?.deadline_at ?? null;
}

export async function organisationsWaiting(executor: Executor): Promise<string[]> {
  const rows = await executor
    .selectFrom("pending_analyses")
    .innerJoin("calls", "calls.id", "pending_analyses.call_id")
    .select("calls.organisation_id")
    .distinct()
    .orderBy("calls.organisation_id")
    .execute();
  return rows.map(({ organisation_id }) => organisation_id);
}

/** Earliest deadline first. */
export async function pendingOfOrganisation(
  executor: Executor,
  organisationId: string,
  limit: number,
): Promise<Row<"pending_analyses">[]> {
  return executor
    .selectFrom("pending_analyses")
    .innerJoin("calls", "calls.id", "pending_analyses.call_id")
    .selectAll("pending_analyses")
    .where("calls.organisation_id", "=", organisationId)
    .orderBy("deadline_at")
    .orderBy("call_id")
    .limit(limit)
    .execute();
}

/** Analyses whose deadline has passed, or is so far ahead that the clock must have been set back. */
export async function duePending(
  executor: Executor,
  { until, from }: { until: number; from: number },
  limit: number,
): Promise<Row<"pending_analyses">[]> {
  return executor
    .selectFrom("pending_analyses")
    .selectAll()
    .where((eb) => eb.or([eb("deadline_at", "<=", until), eb("deadline_at", ">", from)]))
    .orderBy("deadline_at")
    .orderBy("call_id")
    .limit(limit)
    .execute();
}

export async function pendingOf(executor: Executor, callId: string): Promise<Row<"pending_analyses"> | undefined> {
  return executor.selectFrom("pending_analyses").selectAll().where("call_id", "=", callId).executeTakeFirst();
}

/**
 * Only the transaction that takes the row settles the analysis. Undefined if it is settled already, or the call was
 * erased.
 */
export async function takePending(tx: Tx, callId: string): Promise<Row<"pending_analyses"> | undefined> {
  const row = await pendingOf(tx, callId);
  if (row) await tx.deleteFrom("pending_analyses").where("call_id", "=", callId).execute();
  return row;
}
