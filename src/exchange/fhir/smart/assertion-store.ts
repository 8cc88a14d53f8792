// Assertions that were used for a token. Only a hash of client and jti is stored.
import { sha256Hex } from "../../../core/hmac.ts";
import type { Tx } from "../../../db/tables.ts";

/** False if the assertion was used before. */
export async function takeAssertion(tx: Tx, clientId: string, jti: string, usableUntil: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto("smart_assertions")
    .values({ id_hash: sha256Hex(JSON.stringify([clientId, jti])), expires_at: usableUntil })
    .onConflict((conflict) => conflict.column("id_hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteExpiredAssertions(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("smart_assertions").where("expires_at", "<=", now).execute();
}
