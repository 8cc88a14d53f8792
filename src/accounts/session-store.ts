// Table of dashboard sessions. The cookie's token is stored hashed.
import { sql, type SqlBool } from "kysely";
import { prepared } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import type { Person } from "./records.ts";

export async function insertSession(tx: Tx, row: Row<"sessions">): Promise<void> {
  await tx.insertInto("sessions").values(row).execute();
}

/**
 * The session has what the organisation demands of the person's role now, so a role or a demand that came later ends
 * it. A passkey alone verifies its user; the emergency account and the demo have no second factor.
 */
const hasDemandedFactor = sql<SqlBool>`(sessions.factor is not null
  or sessions.method in ('passkey', 'break_glass', 'demo')
  or not exists (select 1 from organisations as demanding where demanding.id = people.organisation_id
    and ' ' || demanding.second_factor_roles || ' ' like '% ' || people.role || ' %'))`;

const selectSession = prepared<{ tokenHash: string }>()((db, { tokenHash }) =>
  db
    .selectFrom("sessions")
    .innerJoin("people", "people.id", "sessions.person_id")
    .selectAll("sessions")
    .select(["people.email", "people.name", "people.role", "people.disabled_at", "people.language"])
    .select(["people.branches", "people.practitioner_id"])
    .where("token_hash", "=", tokenHash)
    .where(hasDemandedFactor),
);

export type SessionWithPerson = Row<"sessions"> &
  Pick<Person, "email" | "name" | "role" | "disabled_at" | "language" | "branches" | "practitioner_id">;

export async function sessionByToken(executor: Executor, tokenHash: string): Promise<SessionWithPerson | undefined> {
  const [row] = await selectSession(executor, { tokenHash });
  return row;
}

/** Which of these sessions are open and belong to an enabled person, in one query, with what decides their reach. */
export async function liveTokenHashes(executor: Executor, tokenHashes: readonly string[], now: number) {
  const rows = await executor
    .selectFrom("sessions")
    .innerJoin("people", "people.id", "sessions.person_id")
    .select(["sessions.token_hash", "people.role", "people.branches", "people.practitioner_id"])
    .where("sessions.token_hash", "in", tokenHashes)
    .where("sessions.expires_at", ">", now)
    .where("people.disabled_at", "is", null)
    .where(hasDemandedFactor)
    .execute();
  return new Map(rows.map(({ token_hash, ...bounds }) => [token_hash, boundsKey(bounds)]));
}

/** Differs after a change of what the person may see. */
export const boundsKey = ({ role, branches, practitioner_id }: Pick<Person, "role" | "branches" | "practitioner_id">) =>
  JSON.stringify([role, branches, practitioner_id]);

export async function deleteSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
}

export async function deleteSessionsOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("sessions").where("person_id", "=", personId).execute();
}

/** All sessions of a person but one. */
export async function deleteOtherSessions(tx: Tx, personId: string, keptHash: string | null): Promise<number> {
  const query = tx.deleteFrom("sessions").where("person_id", "=", personId);
  const { numDeletedRows } = await (
    keptHash === null ? query : query.where("token_hash", "<>", keptHash)
  ).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Open sessions, the most recently used first. */
export async function sessionsOf(executor: Executor, personId: string, now: number): Promise<Row<"sessions">[]> {
  return executor
    .selectFrom("sessions")
    .innerJoin("people", "people.id", "sessions.person_id")
    .selectAll("sessions")
    .where("person_id", "=", personId)
    .where("expires_at", ">", now)
    .where(hasDemandedFactor)
    .orderBy("last_seen_at", "desc")
    .orderBy("token_hash")
    .limit(200)
    .execute();
}

/** The person says that the device is theirs. */
export async function setDeviceKnown(tx: Tx, tokenHash: string): Promise<void> {
  await tx.updateTable("sessions").set({ is_new_device: 0 }).where("token_hash", "=", tokenHash).execute();
}

/** A factor that was set up in an open session, after the password. */
export async function noteNewFactor(tx: Tx, tokenHash: string): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ factor: "new" })
    .where("token_hash", "=", tokenHash)
    .where("factor", "is", null)
    .execute();
}

export async function deleteExpiredSessions(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("sessions").where("expires_at", "<=", now).execute();
}

export async function touchSession(tx: Tx, tokenHash: string, lastSeenAt: number, expiresAt: number): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
    .where("token_hash", "=", tokenHash)
    .execute();
}

export async function setSessionLock(tx: Tx, tokenHash: string, lockedAt: number | null): Promise<void> {
  await tx.updateTable("sessions").set({ locked_at: lockedAt }).where("token_hash", "=", tokenHash).execute();
}
