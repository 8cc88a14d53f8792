// The credit ledger in the database.
import type { CreditEntryRow, Executor, Tx } from "../db/tables.ts";

export async function insertCreditEntry(tx: Tx, row: CreditEntryRow): Promise<void> {
  await tx.insertInto("credit_entries").values(row).execute();
}

/** Newest first. */
export async function newestCreditEntries(
  executor: Executor,
  organisationId: string,
  limit: number,
): Promise<CreditEntryRow[]> {
  return executor
    .selectFrom("credit_entries")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function addToBalance(tx: Tx, organisationId: string, amount: number): Promise<void> {
  await tx
    .updateTable("organisations")
    .set((eb) => ({ credit_balance: eb("credit_balance", "+", amount) }))
    .where("id", "=", organisationId)
    .execute();
}

export async function setUnlimitedCredits(tx: Tx, organisationId: string, unlimited: boolean): Promise<void> {
  await tx
    .updateTable("organisations")
    .set({ unlimited_credits: unlimited ? 1 : 0 })
    .where("id", "=", organisationId)
    .execute();
}
