// Deletes a call from the tables of this folder; other folders have their own erasers. Freed pages are overwritten by
// secure_delete and a truncated WAL (db/sqlite/).
import { callMeaning, type Call } from "../call/records.ts";
import { behind } from "../../db/index-slices.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";

export async function deleteCallTraces(tx: Tx, callId: string): Promise<void> {
  await tx.deleteFrom("pending_analyses").where("call_id", "=", callId).execute();
  await tx.deleteFrom("call_legs").where("call_id", "=", callId).execute();
  await tx.deleteFrom("call_lines").where("call_id", "=", callId).execute();
  await tx.deleteFrom("call_results").where("call_id", "=", callId).execute();
  await tx.deleteFrom("calls").where("id", "=", callId).execute();
}

/** A restore brings the tombstones of calls that were erased since the backup. */
export async function insertTombstone(tx: Tx, row: Row<"erased_calls">): Promise<void> {
  await tx
    .insertInto("erased_calls")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Finished calls that ended at or before `until`, oldest first, for retention. `after` is the last call of the slice
 * before: calls under a hold stay and are passed over.
 */
export async function callsFinishedBefore(
  executor: Executor,
  until: number,
  limit: number,
  after: Call | null,
): Promise<Call[]> {
  let query = executor
    .selectFrom("calls")
    .selectAll()
    .where("finished_at", "is not", null)
    .where("finished_at", "<=", until);
  if (after) query = query.where(behind(["finished_at", "id"], after));
  const rows = await query.orderBy("finished_at").orderBy("id").limit(limit).execute();
  return callMeaning.readAll(rows);
}

/** When the newest record of a person was made: the start of the least retention. Null if there is none. */
export async function newestRecordOf(
  executor: Executor,
  organisationId: string,
  number: string,
): Promise<number | null> {
  const call = await executor
    .selectFrom("calls")
    .select((eb) => eb.fn.max<number | string | null>("finished_at").as("at"))
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .executeTakeFirstOrThrow();
  const appointment = await executor
    .selectFrom("appointments")
    .select((eb) => eb.fn.max<string | null>("date").as("date"))
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .executeTakeFirstOrThrow();
  const waiting = await executor
    .selectFrom("waiting_list")
    .select((eb) => eb.fn.max<number | string | null>("updated_at").as("at"))
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .executeTakeFirstOrThrow();
  const list = await executor
    .selectFrom("campaign_rows")
    .innerJoin("campaigns", "campaigns.id", "campaign_rows.campaign_id")
    .select((eb) => eb.fn.max<number | string | null>("campaigns.updated_at").as("at"))
    .where("campaigns.organisation_id", "=", organisationId)
    .where("campaign_rows.contact_number", "=", number)
    .executeTakeFirstOrThrow();
  const note = await executor
    .selectFrom("contact_notes")
    .select((eb) => eb.fn.max<number | string | null>("created_at").as("at"))
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .executeTakeFirstOrThrow();
  const times = [
    call.at,
    waiting.at,
    list.at,
    note.at,
    appointment.date === null ? null : Date.parse(appointment.date),
  ];
  const known = times.flatMap((at) => (at === null ? [] : [Number(at)]));
  return known.length === 0 ? null : Math.max(...known);
}

/** Calls of one number, in whatever state. */
export async function allCallsOfContact(
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
