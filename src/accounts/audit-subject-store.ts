// Audit entries about contacts. Their subject is a contact_id, which leads to the person's number. When the person is
// erased, the entries stay and their subject is replaced.
import { sql } from "kysely";
import type { Executor, Tx } from "../db/tables.ts";

export const CONTACT_READ = "contact.read";
/** The entry of an erasure that replaced subjects: its own subject is the replacement. */
export const SUBJECT_REPLACED = "audit.subject_replaced";

/** A literal, because SQLite uses the partial index only for a literal. */
const ACTION = sql.lit(CONTACT_READ);

/**
 * Returns the number of entries. Their salt goes with the subject: what the chain has of it leads nowhere then; see
 * src/audit.
 */
export async function replaceContactSubject(tx: Tx, contactId: string, replacement: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("audit_entries")
    .set({ subject_id: replacement, salt: null })
    .where("action", "=", ACTION)
    .where("subject_id", "=", contactId)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export interface ContactSubject {
  organisation_id: string;
  subject_id: string;
}

/** Replaced subjects begin with a letter that sorts after all hexadecimal digits. */
const END_OF_CONTACT_IDS = "g";

/** Distinct subjects in id order, after the given one. */
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
