// Table of stored idempotency responses.
import { sql } from "kysely";
import { prepared, preparedChange } from "../db/prepared.ts";
import type { Executor, Row, Tx } from "../db/tables.ts";

const selectResponse = prepared<{ scopeHash: string }>()((db, { scopeHash }) =>
  db.selectFrom("idempotency_keys").selectAll().where("scope_hash", "=", scopeHash),
);

export async function rememberedResponse(
  executor: Executor,
  scopeHash: string,
): Promise<Row<"idempotency_keys"> | undefined> {
  const [row] = await selectResponse(executor, { scopeHash });
  return row;
}

/**
 * The status of a key whose operation takes several transactions and has not finished; its response stores the
 * progress.
 */
export const UNFINISHED = 0;

const insertResponse = preparedChange<Row<"idempotency_keys"> & { now: number }>()((db, values) =>
  db
    .insertInto("idempotency_keys")
    .values({
      scope_hash: values.scope_hash,
      organisation_id: values.organisation_id,
      request_hash: values.request_hash,
      status: values.status,
      response: values.response,
      subject_id: values.subject_id,
      expires_at: values.expires_at,
    })
    .onConflict((conflict) =>
      conflict
        .column("scope_hash")
        .doUpdateSet((eb) => ({
          organisation_id: eb.ref("excluded.organisation_id"),
          request_hash: eb.ref("excluded.request_hash"),
          status: eb.ref("excluded.status"),
          response: eb.ref("excluded.response"),
          subject_id: eb.ref("excluded.subject_id"),
          expires_at: eb.ref("excluded.expires_at"),
        }))
        .where((eb) =>
          eb.or([
            eb("idempotency_keys.expires_at", "<=", values.now),
            eb("idempotency_keys.status", "=", sql.lit(UNFINISHED)),
          ]),
        ),
    ),
);

/** Replaces an expired or unfinished entry. Returns false if another valid one exists. */
export async function saveResponse(tx: Tx, row: Row<"idempotency_keys">, now: number): Promise<boolean> {
  return (await insertResponse(tx, { ...row, now })) > 0;
}

export async function deleteExpiredResponses(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("idempotency_keys").where("expires_at", "<=", now).execute();
}

/** Extends the keys that are valid after `now`. */
export async function lengthenKeys(tx: Tx, now: number, byMs: number): Promise<void> {
  await tx
    .updateTable("idempotency_keys")
    .set((eb) => ({ expires_at: eb("expires_at", "+", byMs) }))
    .where("expires_at", ">", now)
    .execute();
}

/** Records whose responses name a person: their appointments, waiting-list entries and consents. */
export async function subjectsOfContact(executor: Executor, organisationId: string, number: string): Promise<string[]> {
  const subjects = await executor
    .selectFrom("appointments")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("contact_number", "=", number)
    .unionAll(
      executor
        .selectFrom("waiting_list")
        .select("id")
        .where("organisation_id", "=", organisationId)
        .where("contact_number", "=", number),
    )
    .unionAll(
      executor
        .selectFrom("consents")
        .select("id")
        .where("organisation_id", "=", organisationId)
        .where("contact_number", "=", number),
    )
    .unionAll(
      executor
        .selectFrom("retention_holds")
        .select("id")
        .where("organisation_id", "=", organisationId)
        .where("subject_key", "=", number),
    )
    .execute();
  return subjects.map(({ id }) => id);
}

/** Retention holds on a call or its person; their responses name the person. */
export async function holdsOfCall(executor: Executor, callId: string): Promise<string[]> {
  const holds = await executor
    .selectFrom("calls")
    .innerJoin("retention_holds", (join) =>
      join
        .on((eb) => eb("retention_holds.subject_key", "in", [eb.ref("calls.id"), eb.ref("calls.contact_number")]))
        .onRef("retention_holds.organisation_id", "=", "calls.organisation_id"),
    )
    .select("retention_holds.id")
    .where("calls.id", "=", callId)
    .execute();
  return holds.map(({ id }) => id);
}

/** Replaces an erased response, and the hash of its request. */
export const ERASED = "";

/**
 * For erasure: the request hash and the response about a record are erased with it. The key stays used until it
 * expires; otherwise a retry would create the record again.
 */
export async function deleteResponsesAbout(tx: Tx, subjectId: string): Promise<void> {
  await tx
    .updateTable("idempotency_keys")
    .set({ request_hash: ERASED, response: ERASED })
    .where("subject_id", "=", subjectId)
    .execute();
}
