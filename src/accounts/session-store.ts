// Table of dashboard sessions. The cookie's token is stored hashed.
import { prepared } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";
import type { Person } from "./records.ts";

export async function insertSession(tx: Tx, row: Row<"sessions">): Promise<void> {
  await tx.insertInto("sessions").values(row).execute();
}

const selectSession = prepared<{ tokenHash: string }>()((db, { tokenHash }) =>
  db
    .selectFrom("sessions")
    .innerJoin("people", "people.id", "sessions.person_id")
    .selectAll("sessions")
    .select(["people.email", "people.name", "people.role", "people.disabled_at", "people.language"])
    .where("token_hash", "=", tokenHash),
);

export type SessionWithPerson = Row<"sessions"> & Pick<Person, "email" | "name" | "role" | "disabled_at" | "language">;

export async function sessionByToken(executor: Executor, tokenHash: string): Promise<SessionWithPerson | undefined> {
  const [row] = await selectSession(executor, { tokenHash });
  return row;
}

/** Which of these sessions are open and belong to an enabled person, in one query. */
export async function liveTokenHashes(executor: Executor, tokenHashes: readonly string[], now: number) {
  const rows = await executor
    .selectFrom("sessions")
    .innerJoin("people", "people.id", "sessions.person_id")
    .select("sessions.token_hash")
    .where("sessions.token_hash", "in", tokenHashes)
    .where("sessions.expires_at", ">", now)
    .where("people.disabled_at", "is", null)
    .execute();
  return new Set(rows.map(({ token_hash }) => token_hash));
}

export async function deleteSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
}

export async function deleteSessionsOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("sessions").where("person_id", "=", personId).execute();
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
