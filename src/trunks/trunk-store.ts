// Database access for trunks and their last state.
import type { Position } from "../core/pages.ts";
import { prepared } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { trunkMeaning, trunkStateMeaning, type StoredTrunkState, type Trunk } from "./records.ts";
import { accountUserOf } from "./trunk-settings.ts";

export async function insertTrunk(tx: Tx, row: Trunk): Promise<void> {
  await tx.insertInto("trunks").values(trunkMeaning.write(row)).execute();
}

export type TrunkRowChange = Partial<Omit<Trunk, "id" | "organisation_id" | "created_at">>;

export async function updateTrunk(tx: Tx, id: string, change: TrunkRowChange): Promise<void> {
  await tx.updateTable("trunks").set(trunkMeaning.write(change)).where("id", "=", id).execute();
}

/** Increases with each change even if the clock stands still or is set back: the revision depends on it. */
export function nextUpdatedAt(row: Trunk, now: number): number {
  return Math.max(now, row.updated_at + 1);
}

/** Deletes its state too. No number may reference the trunk any more. */
export async function deleteTrunk(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("trunk_states").where("trunk_id", "=", id).execute();
  await tx.deleteFrom("trunks").where("id", "=", id).execute();
}

export async function trunkOf(executor: Executor, organisationId: string, id: string): Promise<Trunk | undefined> {
  const row = await executor
    .selectFrom("trunks")
    .selectAll()
    .where("id", "=", id)
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
  return row && trunkMeaning.read(row);
}

export async function trunkByName(
  executor: Executor,
  organisationId: string,
  name: string,
): Promise<Trunk | undefined> {
  const row = await executor
    .selectFrom("trunks")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("name", "=", name)
    .executeTakeFirst();
  return row && trunkMeaning.read(row);
}

/** Names by which the exchange may call us, besides the numbers. Empty if the trunk is gone. */
export async function namesOfTrunk(
  executor: Executor,
  id: string,
): Promise<{ account: string | null; extensions: readonly string[] }> {
  const row = await executor
    .selectFrom("trunks")
    .select(["username", "from_user", "extensions"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return { account: null, extensions: [] };
  return {
    account: accountUserOf({ username: row.username, fromUser: row.from_user }),
    extensions: trunkMeaning.read(row).extensions,
  };
}

export async function trunksOf(executor: Executor, organisationId: string): Promise<Trunk[]> {
  const rows = await executor
    .selectFrom("trunks")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("name")
    .execute();
  return trunkMeaning.readAll(rows);
}

/** Newest first. */
export async function listTrunks(
  executor: Executor,
  { organisationId, before, limit }: { organisationId: string; before: Position | undefined; limit: number },
): Promise<Trunk[]> {
  let query = executor.selectFrom("trunks").selectAll().where("organisation_id", "=", organisationId);
  if (before !== undefined)
    query = query
      .where("created_at", "<=", before.createdAt)
      .where((eb) => eb.or([eb("created_at", "<", before.createdAt), eb("id", "<", before.id)]));
  return trunkMeaning.readAll(await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute());
}

/** Of all organisations. */
export async function allTrunks(executor: Executor): Promise<Trunk[]> {
  const rows = await executor.selectFrom("trunks").selectAll().orderBy("created_at").orderBy("id").execute();
  return trunkMeaning.readAll(rows);
}

const selectRevision = prepared<object>()((db) =>
  db
    .selectFrom("trunks")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number>("updated_at").as("times")]),
);

/**
 * Changes whenever a trunk is added, changed or removed, or a number is, by any process, even after the clock was set
 * back.
 */
export async function trunkRevision(executor: Executor): Promise<string> {
  const [row] = await selectRevision(executor, {});
  const numbers = await numbersOnTrunks(executor);
  const places = numbers.map(({ number, trunk_id }) => `${number}@${trunk_id}`).join(" ");
  return `${row?.count ?? 0}/${row?.times ?? 0}/${places}`;
}

const selectCapture = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("trunks").select("capture_until").where("id", "=", id),
);

export async function captureUntil(executor: Executor, id: string): Promise<number | null> {
  const [row] = await selectCapture(executor, { id });
  return row?.capture_until ?? null;
}

export async function numbersOnTrunk(executor: Executor, trunkId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom("phone_numbers")
    .select("number")
    .where("trunk_id", "=", trunkId)
    .orderBy("number")
    .execute();
  return rows.map(({ number }) => number);
}

const selectNumbers = prepared<object>()((db) =>
  db.selectFrom("phone_numbers").select(["number", "trunk_id"]).where("trunk_id", "is not", null).orderBy("number"),
);

/** Of all trunks. */
export async function numbersOnTrunks(executor: Executor): Promise<{ number: string; trunk_id: string | null }[]> {
  return selectNumbers(executor, {});
}

export async function upsertTrunkState(tx: Tx, row: StoredTrunkState): Promise<void> {
  const stored = trunkStateMeaning.write(row);
  const { trunk_id: _, ...change } = stored;
  await tx
    .insertInto("trunk_states")
    .values(stored)
    .onConflict((conflict) => conflict.column("trunk_id").doUpdateSet(change))
    .execute();
}

export async function trunkStatesOf(executor: Executor, organisationId: string): Promise<StoredTrunkState[]> {
  const rows = await executor
    .selectFrom("trunk_states")
    .innerJoin("trunks", "trunks.id", "trunk_states.trunk_id")
    .selectAll("trunk_states")
    .where("trunks.organisation_id", "=", organisationId)
    .execute();
  return trunkStateMeaning.readAll(rows);
}
