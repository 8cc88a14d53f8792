// Table of one-time setup codes, stored hashed.
import type { Executor, Tx } from "../db/tables.ts";

export async function replaceSetupCode(tx: Tx, codeHash: string, now: number): Promise<void> {
  await tx.deleteFrom("setup_codes").execute();
  await tx.insertInto("setup_codes").values({ code_hash: codeHash, created_at: now, used_at: null }).execute();
}

export async function isSetupCodeUnused(executor: Executor, codeHash: string): Promise<boolean> {
  const row = await executor
    .selectFrom("setup_codes")
    .select("code_hash")
    .where("code_hash", "=", codeHash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether the code existed and was unused. */
export async function useSetupCode(tx: Tx, codeHash: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable("setup_codes")
    .set({ used_at: now })
    .where("code_hash", "=", codeHash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
