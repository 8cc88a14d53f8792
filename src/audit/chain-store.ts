// Store of the audit chain: blocks, entries that wait for their place, heads, stub, exports and positions.
import { deleteEntries } from "../accounts/audit-chain-store.ts";
import { preparedList } from "../db/prepared-list.ts";
import { prepared, preparedWrite } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { endOf, START, type ChainEnd } from "./chain.ts";
import type { AuditBlock, AuditExport, AuditStub, ChainedEntry, UnsealedEntries } from "./records.ts";

const selectUnsealed = prepared<{ limit: number }>()((db, { limit }) =>
  db.selectFrom("audit_unsealed").selectAll().orderBy("id").limit(limit),
);

/** In the order of sealing. */
export const unsealedEntries = (executor: Executor, limit: number): Promise<UnsealedEntries[]> =>
  selectUnsealed(executor, { limit });

export async function unsealedAfter(executor: Executor, after: string, limit: number): Promise<UnsealedEntries[]> {
  const query = executor.selectFrom("audit_unsealed").selectAll().where("id", ">", after);
  return query.orderBy("id").limit(limit).execute();
}

const selectEntries = preparedList<object>()((db, ids) =>
  db.selectFrom("audit_entries").selectAll().where("id", "in", ids),
);

export async function entriesById(executor: Executor, ids: readonly string[]): Promise<Map<string, ChainedEntry>> {
  return new Map((await selectEntries(executor, ids, {})).map((entry) => [entry.id, entry]));
}

export const insertBlock = preparedWrite<AuditBlock>()((db, p) =>
  db.insertInto("audit_blocks").values({
    sequence: p.sequence,
    first_number: p.first_number,
    entry_count: p.entry_count,
    sealed_at: p.sealed_at,
    newest_at: p.newest_at,
    entry_ids: p.entry_ids,
    leaves: p.leaves,
    hash: p.hash,
  }),
);

const selectLast = prepared<object>()((db) =>
  db.selectFrom("audit_blocks").selectAll().orderBy("sequence", "desc").limit(1),
);

export async function lastBlock(executor: Executor): Promise<AuditBlock | null> {
  const [last] = await selectLast(executor, {});
  return last ?? null;
}

/** The stub's end, if everything was pruned; the start without a block. */
export async function chainEnd(executor: Executor): Promise<ChainEnd> {
  const last = await lastBlock(executor);
  return last === null ? stubEnd(await stubOf(executor)) : endOf(last);
}

export const stubEnd = (stub: AuditStub | null): ChainEnd =>
  stub === null ? START : { sequence: stub.sequence, hash: stub.hash, lastNumber: stub.last_number };

const selectBlocks = prepared<{ after: number; limit: number }>()((db, { after, limit }) =>
  db.selectFrom("audit_blocks").selectAll().where("sequence", ">", after).orderBy("sequence").limit(limit),
);

/** In order. */
export const blocksAfter = (executor: Executor, after: number, limit: number): Promise<AuditBlock[]> =>
  selectBlocks(executor, { after, limit });

export async function blockAt(executor: Executor, sequence: number): Promise<AuditBlock | null> {
  const [found] = await blocksAfter(executor, sequence - 1, 1);
  return found?.sequence === sequence ? found : null;
}

/** The last block of the beginning of the chain whose entries are all older; 0 if there is none. */
export async function lastBlockBefore(executor: Executor, time: number): Promise<number> {
  const query = executor.selectFrom("audit_blocks").select("sequence").where("newest_at", ">=", time);
  const first = await query.orderBy("sequence").limit(1).executeTakeFirst();
  return first ? first.sequence - 1 : ((await lastBlock(executor))?.sequence ?? 0);
}

/** The last block that ends at this entry or before it. */
export async function lastBlockUpTo(executor: Executor, number: number): Promise<number> {
  const query = executor
    .selectFrom("audit_blocks")
    .select("sequence")
    .where("first_number", "<=", number + 1);
  const row = await query.orderBy("sequence", "desc").limit(1).executeTakeFirst();
  return row === undefined ? 0 : row.sequence - 1;
}

export async function stubOf(executor: Executor): Promise<AuditStub | null> {
  const row = await executor
    .selectFrom("audit_stubs")
    .selectAll()
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Removes one block with its entries, and moves the stub behind it. */
export async function pruneBlock(tx: Tx, block: AuditBlock, ids: readonly string[], stub: AuditStub): Promise<void> {
  await deleteEntries(tx, ids);
  await tx.deleteFrom("audit_blocks").where("sequence", "=", block.sequence).execute();
  await tx.deleteFrom("audit_stubs").execute();
  await tx.insertInto("audit_stubs").values(stub).execute();
}

export interface StoredHead {
  sequence: number;
  at: number;
  line: string;
}

export async function newestHead(executor: Executor): Promise<StoredHead | null> {
  const query = executor.selectFrom("audit_heads").selectAll().orderBy("sequence", "desc").limit(1);
  return (await query.executeTakeFirst()) ?? null;
}

export async function headsAfter(executor: Executor, after: number, limit: number): Promise<StoredHead[]> {
  const query = executor.selectFrom("audit_heads").selectAll().where("sequence", ">", after);
  return query.orderBy("sequence").limit(limit).execute();
}

export async function insertHead(tx: Tx, head: StoredHead): Promise<void> {
  await tx
    .insertInto("audit_heads")
    .values(head)
    .onConflict((conflict) => conflict.column("sequence").doNothing())
    .execute();
}

export async function insertExport(tx: Tx, row: AuditExport): Promise<void> {
  await tx.insertInto("audit_exports").values(row).execute();
}

/** In the order of the chain. */
export async function exportsOf(executor: Executor): Promise<AuditExport[]> {
  return executor.selectFrom("audit_exports").selectAll().orderBy("first_block").orderBy("last_block").execute();
}

export async function positionOf(executor: Executor, name: string): Promise<{ sequence: number; at: number } | null> {
  const query = executor.selectFrom("audit_positions").select(["sequence", "at"]).where("name", "=", name);
  return (await query.executeTakeFirst()) ?? null;
}

export async function movePosition(tx: Tx, name: string, sequence: number, at: number): Promise<void> {
  await tx
    .insertInto("audit_positions")
    .values({ name, sequence, at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ sequence, at }))
    .execute();
}

/** Rows that wait; each has up to a hundred entries. */
export async function countUnsealed(executor: Executor): Promise<number> {
  const query = executor.selectFrom("audit_unsealed").select((eb) => eb.fn.countAll().as("count"));
  return Number((await query.executeTakeFirst())?.count ?? 0);
}

export async function countEntries(executor: Executor): Promise<number> {
  const query = executor.selectFrom("audit_entries").select((eb) => eb.fn.countAll().as("count"));
  return Number((await query.executeTakeFirst())?.count ?? 0);
}

/** Ids in order, from the given one on. */
export async function entryIdsFrom(executor: Executor, from: string, limit: number): Promise<string[]> {
  const query = executor.selectFrom("audit_entries").select("id").where("id", ">=", from);
  return (await query.orderBy("id").limit(limit).execute()).map(({ id }) => id);
}

export async function isReplacementNoted(executor: Executor, action: string, subjectId: string): Promise<boolean> {
  const query = executor.selectFrom("audit_entries").select("id").where("subject_id", "=", subjectId);
  return (await query.where("action", "=", action).limit(1).executeTakeFirst()) !== undefined;
}
