// How far the demo's past has been made.
import type { Executor, Row, Tx } from "../db/tables.ts";

export async function insertHistory(tx: Tx, row: Row<"demo_history">): Promise<void> {
  await tx.insertInto("demo_history").values(row).execute();
}

export async function historyOf(executor: Executor, organisationId: string): Promise<Row<"demo_history"> | undefined> {
  return executor
    .selectFrom("demo_history")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
}

export async function keepMade(tx: Tx, organisationId: string, madeUntil: number, isWhole: boolean): Promise<void> {
  await tx
    .updateTable("demo_history")
    .set({ made_until: madeUntil, is_whole: isWhole ? 1 : 0 })
    .where("organisation_id", "=", organisationId)
    .execute();
}
