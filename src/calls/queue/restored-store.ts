// The rows of calls that a restore holds.
import { RESTORED_HOLD } from "../../db/backup/hold-due-calls.ts";
import type { CallRow, Executor, Tx } from "../../db/tables.ts";

export type RestoredCall = Pick<CallRow, "id" | "agent_id" | "scheduled_at">;

/** Those that were due first come first. */
export async function restoredCalls(
  executor: Executor,
  organisationId: string,
  limit: number,
  callId?: string,
): Promise<RestoredCall[]> {
  let query = executor
    .selectFrom("calls")
    .select(["id", "agent_id", "scheduled_at"])
    .where("state", "=", "queued")
    .where("organisation_id", "=", organisationId)
    .where("hold_reason", "=", RESTORED_HOLD);
  if (callId !== undefined) query = query.where("id", "=", callId);
  return query.orderBy("scheduled_at").orderBy("id").limit(limit).execute();
}

export async function countRestored(executor: Executor, organisationId: string): Promise<number> {
  const { held } = await executor
    .selectFrom("calls")
    .select((eb) => eb.fn.countAll<number>().as("held"))
    .where("state", "=", "queued")
    .where("organisation_id", "=", organisationId)
    .where("hold_reason", "=", RESTORED_HOLD)
    .executeTakeFirstOrThrow();
  return held;
}

/** False where it is not held any more: cancelled or released meanwhile. */
export async function releaseRestored(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("calls")
    .set({ next_at: now, hold_reason: "waiting_for_line", updated_at: now })
    .where("id", "=", id)
    .where("state", "=", "queued")
    .where("hold_reason", "=", RESTORED_HOLD)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
