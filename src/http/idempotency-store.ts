// Remembered responses in the database.
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
 * The status of a key whose act takes several transactions, and has not come to its last; its response tells how far it
 * has.
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

/**
 * In the place of one whose time has run out, or of one that is not finished. Answers false where another one stands
 * that still holds.
 */
export async function saveResponse(tx: Tx, row: Row<"idempotency_keys">, now: number): Promise<boolean> {
  return (await insertResponse(tx, { ...row, now })) > 0;
}

export async function deleteExpiredResponses(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom("idempotency_keys").where("expires_at", "<=", now).execute();
}

/** Those that hold after `now`. */
export async function lengthenKeys(tx: Tx, now: number, byMs: number): Promise<void> {
  await tx
    .updateTable("idempotency_keys")
    .set((eb) => ({ expires_at: eb("expires_at", "+", byMs) }))
    .where("expires_at", ">", now)
    .execute();
}

/** What names a person in its answer: their appointments and their places on the waiting list. */
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
    .execute();
  return subjects.map(({ id }) => id);
}

/** In the place of a response that was erased, and of the hash of its request. */
export const ERASED = "";

/**
 * For erasure: what was asked and answered about a record goes with it. The key stays used until it expires, or a
 * request that is sent again would create the record anew.
 */
export async function deleteResponsesAbout(tx: Tx, subjectId: string): Promise<void> {
  await tx
    .updateTable("idempotency_keys")
    .set({ request_hash: ERASED, response: ERASED })
    .where("subject_id", "=", subjectId)
    .execute();
}
