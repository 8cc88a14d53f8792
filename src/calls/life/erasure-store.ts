// Deletes a call from the tables of this folder; other folders have their own erasers. Freed pages are overwritten by
// secure_delete and a truncated WAL (db/sqlite/).
import { callMeaning, type Call } from "../call/records.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

export async function deleteCallTraces(tx: Tx, callId: string): Promise<void> {
  await tx.deleteFrom("pending_analyses").where("call_id", "=", callId).execute();
  await tx.deleteFrom("call_legs").where("call_id", "=", callId).execute();
  await tx.deleteFrom("call_lines").where("call_id", "=", callId).execute();
  await tx.deleteFrom("call_results").where("call_id", "=", callId).execute();
  await tx.deleteFrom("calls").where("id", "=", callId).execute();
}

export async function insertTombstone(tx: Tx, row: Row<"erased_calls">): Promise<void> {
  await tx.insertInto("erased_calls").values(row).execute();
}

/** Finished calls that ended at or before `until`, oldest first, for retention. */
export async function callsFinishedBefore(executor: Executor, until: number, limit: number): Promise<Call[]> {
  const rows = await executor
    .selectFrom("calls")
    .selectAll()
    .where("finished_at", "is not", null)
    .where("finished_at", "<=", until)
    .orderBy("finished_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return callMeaning.readAll(rows);
}

/** Finished calls of one number. */
export async function callsOfContact(
  executor: Executor,
  organisationId: string,
  number: string,
  limit: number,
): Promise<Call[]> {
  const rows = await executor
    .selectFrom("calls")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .where("finished_at", "is not", null)
    .limit(limit)
    .execute();
  return callMeaning.readAll(rows);
}
