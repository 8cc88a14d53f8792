// Remembered responses in the database.
import { prepared } from "../db/prepared.ts";
import type { Executor, IdempotencyKeyRow, Tx } from "../db/tables.ts";

const selectResponse = prepared<{ scopeHash: string }>()((db, { scopeHash }) =>
  db.selectFrom("idempotency_keys").selectAll().where("scope_hash", "=", scopeHash),
);

export async function rememberedResponse(
  executor: Executor,
  scopeHash: string,
): Promise<IdempotencyKeyRow | undefined> {
  const [row] = await selectResponse(executor, { scopeHash });
  return row;
}

/** Replaces a row whose time has run out. */
export async function saveResponse(tx: Tx, row: IdempotencyKeyRow): Promise<void> {
  await tx.deleteFrom("idempotency_keys").where("scope_hash", "=", row.scope_hash).execute();
  await tx.insertInto("idempotency_keys").values(row).execute();
}

export async function deleteExpiredResponses(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("idempotency_keys").where("expires_at", "<=", now).execute();
}

/** For erasure: what was answered about a record goes with it. */
export async function deleteResponsesAbout(tx: Tx, subjectId: string): Promise<void> {
  await tx.deleteFrom("idempotency_keys").where("subject_id", "=", subjectId).execute();
}
