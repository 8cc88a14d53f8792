// Table of organisations.
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { organisationMeaning, type Organisation } from "./records.ts";

export async function insertOrganisation(tx: Tx, row: Organisation): Promise<void> {
  await tx.insertInto("organisations").values(organisationMeaning.write(row)).execute();
}

const selectById = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("organisations").selectAll().where("id", "=", id),
);

export async function organisationById(executor: Executor, id: string): Promise<Organisation | undefined> {
  const [row] = await selectById(executor, { id });
  return row && organisationMeaning.read(row);
}

export async function allOrganisations(executor: Executor): Promise<Organisation[]> {
  const rows = await executor.selectFrom("organisations").selectAll().orderBy("created_at").orderBy("id").execute();
  return organisationMeaning.readAll(rows);
}

export async function updateOrganisation(
  tx: Tx,
  id: string,
  change: Partial<Omit<Organisation, "id" | "created_at">> & { updated_at: number },
): Promise<void> {
  await tx.updateTable("organisations").set(organisationMeaning.write(change)).where("id", "=", id).execute();
}
