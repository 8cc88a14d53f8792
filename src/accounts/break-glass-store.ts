// Table of emergency accounts, one for each organisation.
import type { Executor, Row, Tx } from "../db/tables.ts";

export type Seal = Row<"break_glass">;

export async function sealOf(executor: Executor, organisationId: string): Promise<Seal | undefined> {
  return executor
    .selectFrom("break_glass")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
}

export async function sealOfPerson(executor: Executor, personId: string): Promise<Seal | undefined> {
  return executor.selectFrom("break_glass").selectAll().where("person_id", "=", personId).executeTakeFirst();
}

export async function insertSeal(tx: Tx, row: Seal): Promise<void> {
  await tx.insertInto("break_glass").values(row).execute();
}

export async function updateSeal(
  tx: Tx,
  organisationId: string,
  change: Partial<Omit<Seal, "organisation_id" | "person_id">>,
): Promise<void> {
  await tx.updateTable("break_glass").set(change).where("organisation_id", "=", organisationId).execute();
}

/** False if it is not sealed, or another sign-in has just broken the seal. */
export async function breakSeal(tx: Tx, personId: string, use: { at: number; from: string }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("break_glass")
    .set({
      sealed_at: null,
      used_at: use.at,
      used_from: use.from,
      acknowledged_at: null,
      acknowledged_by: null,
      reason: null,
    })
    .where("person_id", "=", personId)
    .where("sealed_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
