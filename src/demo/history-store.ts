// Progress of the generated demo history.
import type { Executor, Tx } from "../db/tables.ts";
import { historyMeaning, type DemoHistory } from "./records.ts";

export async function insertHistory(tx: Tx, row: DemoHistory): Promise<void> {
  await tx.insertInto("demo_history").values(historyMeaning.write(row)).execute();
}

export async function historyOf(executor: Executor, organisationId: string): Promise<DemoHistory | undefined> {
  const row = await executor
    .selectFrom("demo_history")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
  return row && historyMeaning.read(row);
}

export async function keepMade(tx: Tx, organisationId: string, madeUntil: number, isWhole: boolean): Promise<void> {
  await tx
    .updateTable("demo_history")
    .set(historyMeaning.write({ made_until: madeUntil, is_whole: isWhole }))
    .where("organisation_id", "=", organisationId)
    .execute();
}
