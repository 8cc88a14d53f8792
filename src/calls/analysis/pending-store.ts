// Calls that wait for their analysis, in the database.
import { prepared } from "../../db/prepared.ts";
import type { Executor, PendingAnalysisRow, Tx } from "../../db/tables.ts";

export async function insertPending(tx: Tx, row: PendingAnalysisRow): Promise<void> {
  await tx.insertInto("pending_analyses").values(row).execute();
}

const selectPending = prepared<{ limit: number }>()((db, { limit }) =>
  db.selectFrom("pending_analyses").selectAll().orderBy("deadline_at").orderBy("call_id").limit(limit),
);

/** The nearest deadlines first. Asked at every round of the scheduler. */
export async function pendingAnalyses(executor: Executor, limit: number): Promise<PendingAnalysisRow[]> {
  return selectPending(executor, { limit });
}

/** Their deadline has passed, or lies so far ahead that the clock must have been set back. */
export async function duePending(
  executor: Executor,
  { until, from }: { until: number; from: number },
  limit: number,
): Promise<PendingAnalysisRow[]> {
  return executor
    .selectFrom("pending_analyses")
    .selectAll()
    .where((eb) => eb.or([eb("deadline_at", "<=", until), eb("deadline_at", ">", from)]))
    .orderBy("deadline_at")
    .orderBy("call_id")
    .limit(limit)
    .execute();
}

export async function pendingOf(executor: Executor, callId: string): Promise<PendingAnalysisRow | undefined> {
  return executor.selectFrom("pending_analyses").selectAll().where("call_id", "=", callId).executeTakeFirst();
}

/** Whoever takes it settles it; undefined where somebody has, or where the call was erased. */
export async function takePending(tx: Tx, callId: string): Promise<PendingAnalysisRow | undefined> {
  const row = await pendingOf(tx, callId);
  if (row) await tx.deleteFrom("pending_analyses").where("call_id", "=", callId).execute();
  return row;
}
