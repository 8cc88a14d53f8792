// Saved filters in the database.
import type { Executor, Row, Tx } from "../db/tables.ts";

export async function savedFiltersOf(executor: Executor, personId: string): Promise<Row<"saved_filters">[]> {
  return executor
    .selectFrom("saved_filters")
    .selectAll()
    .where("person_id", "=", personId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function insertSavedFilter(tx: Tx, row: Row<"saved_filters">): Promise<void> {
  await tx.insertInto("saved_filters").values(row).execute();
}

/** Answers whether it was theirs. */
export async function deleteSavedFilter(tx: Tx, personId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom("saved_filters")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
