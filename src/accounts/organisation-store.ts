// Organisations in the database.
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Organisation } from "./records.ts";

export async function insertOrganisation(tx: Tx, row: Organisation): Promise<void> {
  await tx.insertInto("organisations").values(row).execute();
}

const selectById = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("organisations").selectAll().where("id", "=", id),
);

export async function organisationById(executor: Executor, id: string): Promise<Organisation | undefined> {
  const [row] = await selectById(executor, { id });
  return row;
}

export async function allOrganisations(executor: Executor): Promise<Organisation[]> {
  return executor.selectFrom("organisations").selectAll().orderBy("created_at").orderBy("id").execute();
}

export async function updateOrganisation(
  tx: Tx,
  id: string,
  change: Partial<Omit<Organisation, "id" | "created_at">> & { updated_at: number },
): Promise<void> {
  await tx.updateTable("organisations").set(change).where("id", "=", id).execute();
}
