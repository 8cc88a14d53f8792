// Store of files to be removed.
import type { Executor, Tx } from "../db/tables.ts";
import type { FileRemoval } from "./records.ts";

export async function insertRemovals(tx: Tx, files: readonly FileRemoval[]): Promise<void> {
  for (const { kind, name } of files)
    await tx
      .insertInto("file_removals")
      .values({ kind, name })
      .onConflict((conflict) => conflict.columns(["kind", "name"]).doNothing())
      .execute();
}

export async function pendingRemovals(executor: Executor, limit: number): Promise<FileRemoval[]> {
  return executor.selectFrom("file_removals").selectAll().orderBy("kind").orderBy("name").limit(limit).execute();
}

export async function deleteRemovals(tx: Tx, files: readonly FileRemoval[]): Promise<void> {
  for (const { kind, name } of files)
    await tx.deleteFrom("file_removals").where("kind", "=", kind).where("name", "=", name).execute();
}
