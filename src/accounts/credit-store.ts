// Table of the credit ledger.
import { sql } from "kysely";
import { preparedChange, preparedWrite } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";

const insertEntry = preparedChange<Row<"credit_entries">>()((db, p) =>
  db.insertInto("credit_entries").values({
    id: p.id,
    organisation_id: p.organisation_id,
    at: p.at,
    amount: p.amount,
    reason: p.reason,
    call_id: p.call_id,
  }),
);

export async function insertCreditEntry(tx: Tx, row: Row<"credit_entries">): Promise<void> {
  await insertEntry(tx, row);
}

/** Newest first. */
export async function newestCreditEntries(
  executor: Executor,
  organisationId: string,
  limit: number,
): Promise<Row<"credit_entries">[]> {
  return executor
    .selectFrom("credit_entries")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

interface Amount {
  organisationId: string;
  amount: number;
}

/**
 * The balance of an organisation with unlimited credits is not updated: otherwise every ending call would write the row
 * that every new call references.
 */
const addingAmount = (db: Executor, { organisationId, amount }: Amount) =>
  db
    .updateTable("organisations")
    .set((eb) => ({ credit_balance: eb("credit_balance", "+", amount) }))
    .where("id", "=", organisationId)
    .where("unlimited_credits", "=", sql.lit(0));

const addAmount = preparedChange<Amount>()(addingAmount);
const chargeAmount = preparedWrite<Amount>()(addingAmount);

/** Returns false for an organisation with unlimited credits, whose balance is not updated. */
export async function addToBalance(tx: Tx, organisationId: string, amount: number): Promise<boolean> {
  return (await addAmount(tx, { organisationId, amount })) > 0;
}

export async function chargeBalance(tx: Tx, organisationId: string, amount: number): Promise<void> {
  await chargeAmount(tx, { organisationId, amount: -amount });
}

/** Sets the balance to the sum of the ledger. */
export async function settleBalance(tx: Tx, organisationId: string): Promise<void> {
  await tx
    .updateTable("organisations")
    .set((eb) => ({
      credit_balance: eb
        .selectFrom("credit_entries")
        .select((entry) => entry.fn.coalesce(entry.fn.sum<number>("amount"), sql.lit(0)).as("sum"))
        .where("organisation_id", "=", organisationId),
    }))
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
