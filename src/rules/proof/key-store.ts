// Store of the signing keys of proofs.
import { prepared } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { ProofKey } from "./records.ts";

const selectCurrent = prepared<object>()((db) =>
  db.selectFrom("proof_keys").selectAll().where("retired_at", "is", null).orderBy("created_at", "desc").limit(1),
);

export async function currentKey(executor: Executor): Promise<ProofKey | null> {
  const [row] = await selectCurrent(executor, {});
  return row ?? null;
}

/** Oldest first. */
export async function proofKeys(executor: Executor): Promise<ProofKey[]> {
  return executor.selectFrom("proof_keys").selectAll().orderBy("created_at").orderBy("public_key").execute();
}

/** Replaces the current key, whose private part is deleted. */
export async function insertKey(
  tx: Tx,
  row: Pick<ProofKey, "public_key" | "sealed_seed" | "created_at">,
): Promise<void> {
  await tx
    .updateTable("proof_keys")
    .set({ retired_at: row.created_at, sealed_seed: null })
    .where("retired_at", "is", null)
    .execute();
  await tx
    .insertInto("proof_keys")
    .values({ ...row, retired_at: null })
    .execute();
}
