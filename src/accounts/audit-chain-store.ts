// Changes of audit entries that the chain of the audit trail makes; see src/audit. Only erasure changes them, too
// (audit-subject-store.ts).
import { preparedList } from "../db/prepared-list.ts";
import { preparedWrite } from "../db/prepared.ts";
import type { Tx } from "../db/tables.ts";

const deleteUnsealedQuery = preparedList<object>()((db, ids) =>
  db.deleteFrom("audit_unsealed").where("id", "in", ids).returning("id"),
);

/** The command fails if one is not there: another process has sealed it. */
export async function deleteUnsealed(tx: Tx, ids: readonly string[]): Promise<void> {
  const deleted = await deleteUnsealedQuery(tx, ids, {});
  if (deleted.length !== ids.length) throw new Error("Another process has sealed these audit entries.");
}

/** Fails if the subject has changed since it was read. */
export const commitSubject = preparedWrite<{ id: string; subject: string; salt: string; commitment: string }>(1)(
  (db, { id, subject, salt, commitment }) =>
    db
      .updateTable("audit_entries")
      .set({ salt, commitment })
      .where("id", "=", id)
      .where("subject_id", "=", subject)
      .where("commitment", "is", null),
);

export async function deleteEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom("audit_entries").where("id", "in", ids).execute();
}
