// Queries of the retention of recordings.
import { behind } from "../../db/index-slices.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { callMeaning, type Call } from "../call/records.ts";

/** Calls with a recording that ended at or before `until`, oldest first. `after` is the last call of the last slice. */
export async function recordedBefore(
  executor: Executor,
  until: number,
  limit: number,
  after: Call | null,
): Promise<Call[]> {
  let query = executor
    .selectFrom("calls")
    .selectAll()
    .where("recording_file", "is not", null)
    .where("finished_at", "is not", null)
    .where("finished_at", "<=", until);
  if (after) query = query.where(behind(["finished_at", "id"], after));
  return callMeaning.readAll(await query.orderBy("finished_at").orderBy("id").limit(limit).execute());
}

/** A call that broke off has no result of its own. */
export async function keepExpiry(tx: Tx, callId: string, now: number): Promise<void> {
  await tx
    .insertInto("call_results")
    .values({ call_id: callId, recording_expired_at: now })
    .onConflict((conflict) => conflict.column("call_id").doUpdateSet({ recording_expired_at: now }))
    .execute();
}
