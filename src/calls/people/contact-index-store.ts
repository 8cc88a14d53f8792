// Trigram index over contacts, SQLite only. New contacts are indexed later, in order of id. Contacts that are not
// indexed yet are scanned; see contact-store.ts.
import { sql } from "kysely";
import type { Executor, Tx } from "../../db/tables.ts";

/** Contacts up to this id are indexed. */
export const LAST_INDEXED = sql<number>`(SELECT coalesce(max(id), 0) FROM contact_search_docsize)`;

/** Per command; about 40 µs each. */
const AT_ONCE = 200;

export async function areContactsToIndex(executor: Executor): Promise<boolean> {
  const found = await executor.selectFrom("contacts").select("id").where("id", ">", LAST_INDEXED).limit(1).execute();
  return found.length > 0;
}

export async function indexSomeContacts(tx: Tx): Promise<void> {
  await sql`INSERT INTO contact_search (rowid, contact_name, contact_number)
    SELECT id, contact_name, contact_number FROM contacts WHERE id > ${LAST_INDEXED} ORDER BY id LIMIT ${sql.lit(AT_ONCE)}`.execute(
    tx,
  );
}
