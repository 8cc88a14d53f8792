// Numbers that an organisation must not call.
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";

const selectEntry = prepared<{ organisationId: string; number: string }>()((db, { organisationId, number }) =>
  db.selectFrom("do_not_disturb").select("number").where("organisation_id", "=", organisationId).where("number", "=", number),
);

export async function isDoNotDisturb(executor: Executor, organisationId: string, number: string): Promise<boolean> {
  const rows = await selectEntry(executor, { organisationId, number });
  return rows.length > 0;
}

export async function addDoNotDisturb(tx: Tx, organisationId: string, number: string, now: number): Promise<void> {
  await tx
    .insertInto("do_not_disturb")
    .values({ organisation_id: organisationId, number, created_at: now })
    .onConflict((conflict) => conflict.columns(["organisation_id", "number"]).doNothing())
    .execute();
}

/** Answers whether it was there. */
export async function removeDoNotDisturb(tx: Tx, organisationId: string, number: string): Promise<boolean> {
  const result = await tx
    .deleteFrom("do_not_disturb")
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function listDoNotDisturb(executor: Executor, organisationId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("do_not_disturb")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .orderBy("number")
    .execute();
  return rows.map(({ number }) => number);
}
