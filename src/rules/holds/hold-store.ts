// Store of retention holds.
import { sql } from "kysely";
import { prepared } from "../../db/prepared.ts";
import { preparedList } from "../../db/prepared-list.ts";
import type { Executor, Row, Tx } from "../../db/tables.ts";
import type { RetentionHold } from "./records.ts";

/** Subject key of a hold on everything of an organisation. */
export const WHOLE_ORGANISATION = "";

export async function insertHold(tx: Tx, row: Row<"retention_holds">): Promise<void> {
  await tx.insertInto("retention_holds").values(row).execute();
}

export async function holdOf(
  executor: Executor,
  organisationId: string,
  id: string,
): Promise<RetentionHold | undefined> {
  return executor
    .selectFrom("retention_holds")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export type Release = Pick<RetentionHold, "released_at" | "released_by_kind" | "released_by_id" | "release_reason">;

export async function releaseHold(tx: Tx, id: string, release: Release): Promise<void> {
  await tx.updateTable("retention_holds").set(release).where("id", "=", id).execute();
}

export interface HoldListQuestion {
  organisationId: string;
  /** Only holds in force at this time. */
  inForceAt?: number | undefined;
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function listHolds(executor: Executor, question: HoldListQuestion): Promise<RetentionHold[]> {
  const { organisationId, inForceAt, before, limit } = question;
  let query = executor.selectFrom("retention_holds").selectAll().where("organisation_id", "=", organisationId);
  if (inForceAt !== undefined)
    query = query
      .where("released_at", "is", null)
      .where((eb) => eb.or([eb("until_at", "is", null), eb("until_at", ">", inForceAt)]));
  if (before !== undefined)
    query = query
      .where("created_at", "<=", before.createdAt)
      .where((eb) =>
        eb.or([
          eb("created_at", "<", before.createdAt),
          eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
        ]),
      );
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** Holds that were not released, whether or not their time is over. */
export async function countUnreleased(executor: Executor, organisationId: string): Promise<number> {
  const { count } = await executor
    .selectFrom("retention_holds")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("released_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const anyUnreleased = prepared<object>()((db) =>
  db.selectFrom("retention_holds").select("id").where("released_at", "is", null).limit(1),
);

/** The usual answer is no, and saves the question for each record. */
export async function isAnythingHeld(executor: Executor): Promise<boolean> {
  return (await anyUnreleased(executor, {})).length > 0;
}

/** Unreleased holds with these subject keys, of every organisation. */
export const holdsWithKeys = preparedList<object>()((db, keys) =>
  db
    .selectFrom("retention_holds")
    .select(["organisation_id", "subject_key", "until_at"])
    .where("released_at", "is", null)
    .where("subject_key", "in", keys),
);

/**
 * Unreleased holds on single calls that are about this number: it was called, or an appointment or a waiting-list entry
 * was made for it in the call.
 */
export const holdsOnCallsOf = prepared<{ organisationId: string; number: string }>()((db, { organisationId, number }) =>
  db
    .selectFrom("retention_holds")
    .select("until_at")
    .where("organisation_id", "=", organisationId)
    .where("released_at", "is", null)
    .where("subject", "=", sql.lit("call"))
    .where((eb) =>
      eb.or([
        eb(
          "subject_key",
          "in",
          eb
            .selectFrom("calls")
            .select("id")
            .where("organisation_id", "=", organisationId)
            .where("contact_number", "=", number),
        ),
        eb(
          "subject_key",
          "in",
          eb
            .selectFrom("appointments")
            .select("call_id")
            .where("organisation_id", "=", organisationId)
            .where("contact_number", "=", number)
            .where("call_id", "is not", null),
        ),
        eb(
          "subject_key",
          "in",
          eb
            .selectFrom("waiting_list")
            .select("call_id")
            .where("organisation_id", "=", organisationId)
            .where("contact_number", "=", number)
            .where("call_id", "is not", null),
        ),
      ]),
    ),
);

/** Holds in force on a person, a call of theirs or the organisation, newest first. Bounded: a page shows few. */
export async function holdsAbout(
  executor: Executor,
  organisationId: string,
  keys: readonly string[],
  { inForceAt, limit }: { inForceAt: number; limit: number },
): Promise<RetentionHold[]> {
  return executor
    .selectFrom("retention_holds")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("subject_key", "in", keys)
    .where("released_at", "is", null)
    .where((eb) => eb.or([eb("until_at", "is", null), eb("until_at", ">", inForceAt)]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Deletes the holds on a call or a person with the record itself; none is in force then. */
export const deleteHoldsOn = prepared<{ organisationId: string; key: string }>()((db, { organisationId, key }) =>
  db.deleteFrom("retention_holds").where("organisation_id", "=", organisationId).where("subject_key", "=", key),
);

/** Deletes holds that ended at or before `until`, for retention. */
export async function deleteEndedHolds(tx: Tx, until: number): Promise<void> {
  await tx
    .deleteFrom("retention_holds")
    .where((eb) => eb.or([eb("released_at", "<=", until), eb("until_at", "<=", until)]))
    .execute();
}

const callPerson = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("calls").select(["organisation_id", "contact_number"]).where("id", "=", id),
);

/** Organisation and number of a call. */
export async function personOfCall(
  executor: Executor,
  callId: string,
): Promise<{ organisation_id: string; contact_number: string } | undefined> {
  const [call] = await callPerson(executor, { id: callId });
  return call;
}
