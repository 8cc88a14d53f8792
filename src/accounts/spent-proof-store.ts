// Table of used proofs: codes, challenges and tickets, by hash. The primary key makes a second use impossible, also
// from another process.
import { sha256Hex } from "../core/hmac.ts";
import type { Tx } from "../db/tables.ts";

/** False if it was used before. */
export async function spendProof(tx: Tx, proof: readonly (string | number)[], expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto("spent_proofs")
    .values({ proof_hash: sha256Hex(JSON.stringify(proof)), expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("proof_hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteExpiredProofs(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("spent_proofs").where("expires_at", "<=", now).execute();
}
