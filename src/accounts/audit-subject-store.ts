// Audit entries of people who are called. Their subject is a contact_id, which opens the number of the person; when the
// person is erased, the entries stay and their subject is replaced.
import { sql } from "kysely";
import type { Executor, Tx } from "../db/tables.ts";

export const CONTACT_READ = "contact.read";

/** A literal, so that SQLite uses the partial index. */
const ACTION = sql.lit(CONTACT_READ);

export async function replaceContactSubject(tx: Tx, contactId: string, replacement: string): Promise<void> {
  await tx
    .updateTable("audit_entries")
    .set({ subject_id: replacement })
    .where("action", "=", ACTION)
    .where("subject_id", "=", contactId)
    .execute();
}

export interface ContactSubject {
  organisation_id: string;
  subject_id: string;
}

/** Replaced ones begin with a letter after those of hexadecimal digits. */
const END_OF_CONTACT_IDS = "g";

/** Each once, in the order of their ids, after that one. */
export async function contactSubjects(executor: Executor, after: string, limit: number): Promise<ContactSubject[]> {
  const rows = await executor
    .selectFrom("audit_entries")
    .select(["subject_id", (eb) => eb.fn.min("organisation_id").as("organisation_id")])
    .where("action", "=", ACTION)
    .where("subject_id", ">", after)
    .where("subject_id", "<", END_OF_CONTACT_IDS)
    .groupBy("subject_id")
    .orderBy("subject_id")
    .limit(limit)
    .execute();
  return rows.flatMap(({ subject_id, organisation_id }) =>
    subject_id === null ? [] : [{ subject_id, organisation_id }],
  );
}
