// Saved filters in the database.
import type { Executor, Tx } from "../db/tables.ts";
import { filterMeaning, type SavedFilter } from "./records.ts";

export async function savedFiltersOf(executor: Executor, personId: string): Promise<SavedFilter[]> {
  const rows = await executor
    .selectFrom("saved_filters")
    .selectAll()
    .where("person_id", "=", personId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return filterMeaning.readAll(rows);
}

export async function insertSavedFilter(tx: Tx, row: SavedFilter): Promise<void> {
  await tx.insertInto("saved_filters").values(filterMeaning.write(row)).execute();
}

/** Returns whether the filter belonged to the person. */
export async function deleteSavedFilter(tx: Tx, personId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom("saved_filters")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
