// The index of trigrams over the directory of people, which SQLite alone has: new people are put into it later, in the
// order of their ids. Who is not in it yet is looked at one by one; see contact-store.ts.
import { sql } from "kysely";
import type { Executor, Tx } from "../../db/tables.ts";

/** Everybody up to this id is in the index. */
export const LAST_INDEXED = sql<number>`(SELECT coalesce(max(id), 0) FROM contact_search_docsize)`;

/** One command: about 40 µs each. */
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
