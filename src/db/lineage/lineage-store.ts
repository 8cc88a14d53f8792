// Table with the lineage row, written by the database's only server.
import type { Executor, Row, Tx } from "../tables.ts";

export async function lineageRow(executor: Executor): Promise<Row<"lineage"> | undefined> {
  return executor.selectFrom("lineage").selectAll().limit(1).executeTakeFirst();
}

export async function insertLineage(tx: Tx, row: Row<"lineage">): Promise<void> {
  await tx.insertInto("lineage").values(row).execute();
}

export async function updateLineage(tx: Tx, change: Partial<Omit<Row<"lineage">, "line">>): Promise<void> {
  await tx.updateTable("lineage").set(change).execute();
}

export async function hasAnyCall(executor: Executor): Promise<boolean> {
  return (await executor.selectFrom("calls").select("id").limit(1).executeTakeFirst()) !== undefined;
}
