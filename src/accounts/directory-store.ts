// Table of the people who come from a directory.
import type { Executor, Row, Tx } from "../db/tables.ts";

export type DirectoryPerson = Row<"directory_people">;
/** Names a person for good: an address or user name may be given to another person later. */
export type DirectoryPersonId = Pick<DirectoryPerson, "directory" | "issuer" | "subject">;

export async function directoryPersonOf(executor: Executor, personId: string): Promise<DirectoryPerson | undefined> {
  return executor.selectFrom("directory_people").selectAll().where("person_id", "=", personId).executeTakeFirst();
}

export async function directoryPersonBy(
  executor: Executor,
  { directory, issuer, subject }: DirectoryPersonId,
): Promise<DirectoryPerson | undefined> {
  const query = executor.selectFrom("directory_people").selectAll().where("directory", "=", directory);
  return query.where("issuer", "=", issuer).where("subject", "=", subject).executeTakeFirst();
}

/** By person; local people are omitted. */
export async function directoriesOf(executor: Executor, personIds: readonly string[]) {
  if (personIds.length === 0) return new Map<string, DirectoryPerson["directory"]>();
  const query = executor.selectFrom("directory_people").select(["person_id", "directory"]);
  const rows = await query.where("person_id", "in", personIds).execute();
  return new Map(rows.map(({ person_id, directory }) => [person_id, directory]));
}

export async function insertDirectoryPerson(tx: Tx, row: DirectoryPerson): Promise<void> {
  await tx.insertInto("directory_people").values(row).execute();
}

export async function updateDirectoryPerson(
  tx: Tx,
  personId: string,
  change: Partial<Omit<DirectoryPerson, "person_id">>,
): Promise<void> {
  await tx.updateTable("directory_people").set(change).where("person_id", "=", personId).execute();
}

/** Claims the check of a person before their refresh token is sent. False: another check, or a sign-in, was first. */
export async function claimRefresh(tx: Tx, row: DirectoryPerson, now: number): Promise<boolean> {
  // Later than before even within one millisecond: the next claim compares it.
  const claimed = { tried_at: Math.max(now, row.tried_at + 1), refresh_sent_at: row.refresh_sent_at ?? now };
  const query = tx.updateTable("directory_people").set(claimed).where("person_id", "=", row.person_id);
  const result = await query
    .where("confirmed_at", "=", row.confirmed_at)
    .where("tried_at", "=", row.tried_at)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The provider has answered. `sealed`: its new refresh token; undefined if the earlier one holds. */
export async function keepRefreshToken(tx: Tx, row: DirectoryPerson, sealed: string | undefined): Promise<void> {
  const change = { refresh_sent_at: null, ...(sealed !== undefined && { sealed_refresh_token: sealed }) };
  const query = tx.updateTable("directory_people").set(change).where("person_id", "=", row.person_id);
  // A sign-in meanwhile has brought a newer token.
  await query.where("confirmed_at", "=", row.confirmed_at).execute();
}

/** People with an open session who were not asked about since `before`, or whose directory did not answer then. */
export async function peopleToCheck(
  executor: Executor,
  { now, before }: { now: number; before: Record<DirectoryPerson["directory"], number> },
): Promise<DirectoryPerson[]> {
  const open = executor.selectFrom("sessions").select("person_id").where("expires_at", ">", now);
  return executor
    .selectFrom("directory_people")
    .selectAll()
    .where("person_id", "in", open)
    .where((eb) =>
      eb.or([
        eb("unreachable_since", "is not", null),
        eb.and([eb("directory", "=", "oidc"), eb("tried_at", "<=", before.oidc)]),
        eb.and([eb("directory", "=", "ldap"), eb("tried_at", "<=", before.ldap)]),
      ]),
    )
    .orderBy("tried_at")
    .orderBy("person_id")
    .execute();
}
