// Store of proofs, sealed and unsealed.
import { preparedList } from "../../db/prepared-list.ts";
import { prepared, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { StoredProof, UnsealedProof } from "./records.ts";

const insertUnsealedQuery = preparedWrite<UnsealedProof>()((db, p) =>
  db
    .insertInto("unsealed_proofs")
    .values({ call_id: p.call_id, ended_at: p.ended_at, facts: p.facts })
    .onConflict((conflict) => conflict.column("call_id").doNothing()),
);

/**
 * Runs in the transaction that ends the call; an end that is told twice is stored once. Its result is not awaited on
 * PostgreSQL.
 */
export const insertUnsealed = (tx: Tx, row: UnsealedProof): Promise<void> => insertUnsealedQuery(tx, row);

const selectUnsealed = prepared<{ limit: number }>()((db, { limit }) =>
  db.selectFrom("unsealed_proofs").selectAll().orderBy("call_id").limit(limit),
);

/** In the order of sealing. */
export const unsealedProofs = (executor: Executor, limit: number): Promise<UnsealedProof[]> =>
  selectUnsealed(executor, { limit });

const deleteUnsealedQuery = preparedList<object>()((db, callIds) =>
  db.deleteFrom("unsealed_proofs").where("call_id", "in", callIds).returning("call_id"),
);

/** The command fails if one is not there: another server has sealed it. */
export async function deleteUnsealed(tx: Tx, callIds: readonly string[]): Promise<void> {
  const deleted = await deleteUnsealedQuery(tx, callIds, {});
  if (deleted.length !== callIds.length) throw new Error("Another server has sealed these proofs.");
}

export async function isUnsealed(executor: Executor, callId: string): Promise<boolean> {
  const query = executor.selectFrom("unsealed_proofs").select("call_id").where("call_id", "=", callId);
  return (await query.executeTakeFirst()) !== undefined;
}

const insertProofQuery = preparedWrite<StoredProof>()((db, p) =>
  db.insertInto("proofs").values({
    sequence: p.sequence,
    organisation_id: p.organisation_id,
    own_sequence: p.own_sequence,
    call_id: p.call_id,
    sealed_at: p.sealed_at,
    hash: p.hash,
    line: p.line,
  }),
);

export const insertProof = (tx: Tx, row: StoredProof): Promise<void> => insertProofQuery(tx, row);

/** The last record of a chain. */
export interface ChainEnd {
  sequence: number;
  hash: string;
}

const selectLast = prepared<object>()((db) =>
  db.selectFrom("proofs").select(["sequence", "hash"]).orderBy("sequence", "desc").limit(1),
);

export async function lastProof(executor: Executor): Promise<ChainEnd | null> {
  const [row] = await selectLast(executor, {});
  return row ?? null;
}

const selectLastOf = prepared<{ organisationId: string }>()((db, { organisationId }) =>
  db
    .selectFrom("proofs")
    .select(["own_sequence as sequence", "hash"])
    .where("organisation_id", "=", organisationId)
    .orderBy("own_sequence", "desc")
    .limit(1),
);

/** In the organisation's own chain. */
export async function lastProofOf(executor: Executor, organisationId: string): Promise<ChainEnd | null> {
  const [row] = await selectLastOf(executor, { organisationId });
  return row ?? null;
}

/** Another organisation's proof is treated like an unknown one. */
export async function proofOf(executor: Executor, organisationId: string, callId: string): Promise<string | null> {
  const query = executor.selectFrom("proofs").select("line").where("call_id", "=", callId);
  const row = await query.where("organisation_id", "=", organisationId).executeTakeFirst();
  return row?.line ?? null;
}

/** First and last number of the organisation's proofs that were sealed in a period; null if there are none. */
export async function ownRange(
  executor: Executor,
  organisationId: string,
  { from, to }: { from: number; to: number },
): Promise<{ first: number; last: number } | null> {
  // Not by the first and the last time: a clock that was set back puts later records between them.
  const row = await executor
    .selectFrom("proofs")
    .select((eb) => [eb.fn.min("own_sequence").as("first"), eb.fn.max("own_sequence").as("last")])
    .where("organisation_id", "=", organisationId)
    .where("sealed_at", ">=", from)
    .where("sealed_at", "<", to)
    .executeTakeFirst();
  return row ? rangeOf(row) : null;
}

/** Both are null if no row was found. */
function rangeOf({ first, last }: { first: number | null; last: number | null }) {
  return first === null || last === null ? null : { first, last };
}

/** The same for the appliance's chain. It reads all of it. */
export async function rangeIn(
  executor: Executor,
  { from, to }: { from: number; to: number },
): Promise<{ first: number; last: number } | null> {
  const row = await executor
    .selectFrom("proofs")
    .select((eb) => [eb.fn.min("sequence").as("first"), eb.fn.max("sequence").as("last")])
    .where("sealed_at", ">=", from)
    .where("sealed_at", "<", to)
    .executeTakeFirst();
  return row ? rangeOf(row) : null;
}

/** In the order of the organisation's chain. */
export async function ownProofs(
  executor: Executor,
  organisationId: string,
  range: { first: number; last: number },
  limit: number,
): Promise<{ sequence: number; line: string }[]> {
  return executor
    .selectFrom("proofs")
    .select(["own_sequence as sequence", "line"])
    .where("organisation_id", "=", organisationId)
    .where("own_sequence", ">=", range.first)
    .where("own_sequence", "<=", range.last)
    .orderBy("own_sequence")
    .limit(limit)
    .execute();
}

/** Proofs of all organisations from this number on. */
export async function proofsFrom(
  executor: Executor,
  sequence: number,
  limit: number,
): Promise<{ sequence: number; line: string }[]> {
  const query = executor.selectFrom("proofs").select(["sequence", "line"]);
  return query.where("sequence", ">=", sequence).orderBy("sequence").limit(limit).execute();
}

/** Whole rows from this number on. */
export async function storedFrom(executor: Executor, sequence: number): Promise<StoredProof[]> {
  return executor.selectFrom("proofs").selectAll().where("sequence", ">=", sequence).orderBy("sequence").execute();
}

export async function proofAt(
  executor: Executor,
  sequence: number,
): Promise<Pick<StoredProof, "hash" | "sealed_at"> | undefined> {
  const query = executor.selectFrom("proofs").select(["hash", "sealed_at"]);
  return query.where("sequence", "=", sequence).executeTakeFirst();
}

/** Both are equal in a chain without a gap. */
export async function chainSize(executor: Executor): Promise<{ count: number; last: number }> {
  const row = await executor
    .selectFrom("proofs")
    .select((eb) => [eb.fn.countAll().as("count"), eb.fn.max("sequence").as("last")])
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), last: row?.last ?? 0 };
}

export async function oldestUnsealed(executor: Executor): Promise<{ count: number; since: number | null }> {
  const row = await executor
    .selectFrom("unsealed_proofs")
    .select((eb) => [eb.fn.countAll().as("count"), eb.fn.min("ended_at").as("since")])
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), since: row?.since ?? null };
}

export interface SealingFigures {
  unsealed: number;
  sealedAt: number | null;
}

export async function sealingFigures(executor: Executor): Promise<SealingFigures> {
  const waiting = await executor
    .selectFrom("unsealed_proofs")
    .select((eb) => eb.fn.countAll().as("count"))
    .executeTakeFirst();
  const query = executor.selectFrom("proofs").select("sealed_at").orderBy("sequence", "desc").limit(1);
  const last = await query.executeTakeFirst();
  return { unsealed: Number(waiting?.count ?? 0), sealedAt: last?.sealed_at ?? null };
}
