// Store of numbers that an organisation must not call.
import { preparedList } from "../../db/prepared-list.ts";
import { prepared, preparedChange } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { ConsentSource } from "../../payloads/consent.ts";

const selectEntry = prepared<{ organisationId: string; number: string }>()((db, { organisationId, number }) =>
  db
    .selectFrom("do_not_disturb")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number),
);

export async function isDoNotDisturb(executor: Executor, organisationId: string, number: string): Promise<boolean> {
  const rows = await selectEntry(executor, { organisationId, number });
  return rows.length > 0;
}

const selectListed = preparedList<{ organisationId: string }>()((db, numbers, { organisationId }) =>
  db
    .selectFrom("do_not_disturb")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .where("number", "in", numbers),
);

/** The listed ones among these numbers. */
export async function listedAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await selectListed(executor, numbers, { organisationId })).map(({ number }) => number));
}

/** How a number came onto the list; null in entries of earlier versions. */
export interface Entry {
  source: ConsentSource | null;
  /** The call in which the callee asked for it. */
  callId: string | null;
}

const insertEntry = preparedChange<{ organisationId: string; number: string; now: number } & Entry>()(
  (db, { organisationId, number, now, source, callId }) =>
    db
      .insertInto("do_not_disturb")
      .values({ organisation_id: organisationId, number, created_at: now, source, call_id: callId })
      .onConflict((conflict) => conflict.columns(["organisation_id", "number"]).doNothing()),
);

/** Returns true if the number was added, false if it was already listed. */
export async function addDoNotDisturb(
  tx: Tx,
  organisationId: string,
  number: string,
  now: number,
  { source, callId }: Entry,
): Promise<boolean> {
  return (await insertEntry(tx, { organisationId, number, now, source, callId })) === 1;
}

/** Returns true if the number was listed. */
export async function removeDoNotDisturb(tx: Tx, organisationId: string, number: string): Promise<boolean> {
  const result = await tx
    .deleteFrom("do_not_disturb")
    .where("organisation_id", "=", organisationId)
    .where("number", "=", number)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export interface ListQuestion {
  organisationId: string;
  /** Digits anywhere in the number. */
  search?: string | undefined;
  /** Last number of the previous page. */
  after?: string | undefined;
  limit: number;
}

export async function pageOfDoNotDisturb(executor: Executor, { organisationId, search, after, limit }: ListQuestion) {
  let query = executor
    .selectFrom("do_not_disturb")
    .select(["number", "created_at", "source", "call_id"])
    .where("organisation_id", "=", organisationId);
  if (search !== undefined) query = query.where("number", "like", `%${search}%`);
  if (after !== undefined) query = query.where("number", ">", after);
  return query.orderBy("number").limit(limit).execute();
}

/** The listed ones among these numbers, each with its date and source. */
export async function doNotDisturbAmong(
  executor: Executor,
  organisationId: string,
  numbers: readonly string[],
): Promise<Map<string, Entry & { at: number }>> {
  if (numbers.length === 0) return new Map();
  const rows = await executor
    .selectFrom("do_not_disturb")
    .select(["number", "created_at", "source", "call_id"])
    .where("organisation_id", "=", organisationId)
    .where("number", "in", numbers)
    .execute();
  return new Map(
    rows.map(({ number, created_at, source, call_id }) => [number, { at: created_at, source, callId: call_id }]),
  );
}

export async function countDoNotDisturb(executor: Executor, organisationId: string): Promise<number> {
  const row = await executor
    .selectFrom("do_not_disturb")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function listDoNotDisturb(executor: Executor, organisationId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("do_not_disturb")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .orderBy("number")
    .execute();
  return rows.map(({ number }) => number);
}
