// Append-only history of the do-not-disturb list.
import type { Executor, Row, Tx } from "../../db/tables.ts";

export type DoNotDisturbChange = Row<"do_not_disturb_changes">;

const MOST_CHANGES = 200;

export async function keepDoNotDisturbChange(tx: Tx, row: DoNotDisturbChange): Promise<void> {
  await tx.insertInto("do_not_disturb_changes").values(row).execute();
}

/** Newest first. */
export function doNotDisturbChangesOf(
  executor: Executor,
  organisationId: string,
  number: string,
): Promise<DoNotDisturbChange[]> {
  return executor
    .selectFrom("do_not_disturb_changes")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number)
    .orderBy("id", "desc")
    .limit(MOST_CHANGES)
    .execute();
}

/**
 * For the erasure of a person. If the number stays on the list, so does the change that put it there, without its
 * reference.
 */
export async function forgetDoNotDisturbChanges(
  tx: Tx,
  organisationId: string,
  number: string,
  isListed: boolean,
): Promise<void> {
  const [newest] = isListed ? await doNotDisturbChangesOf(tx, organisationId, number) : [];
  let rest = tx
    .deleteFrom("do_not_disturb_changes")
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number);
  if (newest) rest = rest.where("id", "<>", newest.id);
  await rest.execute();
  if (newest)
    await tx.updateTable("do_not_disturb_changes").set({ reference: null }).where("id", "=", newest.id).execute();
}
