// Table of links by which a person sets a password. The token is stored hashed.
import type { Executor, Tx } from "../db/tables.ts";
import type { PasswordLink } from "./records.ts";

export async function insertLink(tx: Tx, row: PasswordLink): Promise<void> {
  await tx.insertInto("password_links").values(row).execute();
}

export async function linkByToken(executor: Executor, tokenHash: string): Promise<PasswordLink | undefined> {
  return executor.selectFrom("password_links").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();
}

/** Links of a person that were made since then, used or not. */
export async function countLinksSince(executor: Executor, personId: string, since: number): Promise<number> {
  const { count } = await executor
    .selectFrom("password_links")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("person_id", "=", personId)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** No link of the person works any longer. They stay until they expire, so that they count. */
export async function endLinksOf(tx: Tx, personId: string, now: number): Promise<void> {
  await tx
    .updateTable("password_links")
    .set({ used_at: now })
    .where("person_id", "=", personId)
    .where("used_at", "is", null)
    .execute();
}

export async function deleteLinksBefore(tx: Tx, expiredBefore: number): Promise<void> {
  await tx.deleteFrom("password_links").where("expires_at", "<=", expiredBefore).execute();
}
