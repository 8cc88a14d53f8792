// Store of sources.
import type { Position } from "../../core/pages.ts";
import { prepared } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { SourceKind } from "../../payloads/source.ts";
import { sourceMeaning, type Source } from "./records.ts";

export async function insertSource(tx: Tx, row: Source): Promise<void> {
  await tx.insertInto("sources").values(sourceMeaning.write(row)).execute();
}

export async function updateSource(
  tx: Tx,
  id: string,
  change: Partial<Omit<Source, "id" | "organisation_id" | "created_at">>,
): Promise<void> {
  await tx.updateTable("sources").set(sourceMeaning.write(change)).where("id", "=", id).execute();
}

const selectSource = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("sources").selectAll().where("id", "=", id).where("removed_at", "is", null),
);

/** Undefined after its removal. */
export async function sourceOf(executor: Executor, organisationId: string, id: string): Promise<Source | undefined> {
  const [row] = await selectSource(executor, { id });
  return row?.organisation_id === organisationId ? sourceMeaning.read(row) : undefined;
}

export async function sourceByName(
  executor: Executor,
  organisationId: string,
  name: string,
): Promise<Source | undefined> {
  const row = await executor
    .selectFrom("sources")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row && sourceMeaning.read(row);
}

/** Of all organisations, for the rooms that listen to them. */
export async function enabledSources(executor: Executor, kind: SourceKind): Promise<Source[]> {
  const rows = await executor
    .selectFrom("sources")
    .selectAll()
    .where("kind", "=", kind)
    .where("enabled", "=", 1)
    .where("removed_at", "is", null)
    .orderBy("id")
    .execute();
  return sourceMeaning.readAll(rows);
}

/** Of all organisations, also those that are switched off or removed. */
export async function sourcesOfKind(executor: Executor, kind: SourceKind): Promise<Source[]> {
  const rows = await executor.selectFrom("sources").selectAll().where("kind", "=", kind).orderBy("id").execute();
  return sourceMeaning.readAll(rows);
}

export interface SourcePage {
  organisationId: string;
  kind?: SourceKind | undefined;
  before?: Position | undefined;
  limit: number;
}

/** Newest first. */
export async function listSources(executor: Executor, page: SourcePage): Promise<Source[]> {
  const { organisationId, kind, before, limit } = page;
  let query = executor
    .selectFrom("sources")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("removed_at", "is", null);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (before)
    query = query.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.tuple(before.createdAt, before.id)));
  const rows = await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
  return sourceMeaning.readAll(rows);
}

export async function countSources(executor: Executor, organisationId: string): Promise<number> {
  const { count } = await executor
    .selectFrom("sources")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Confirmed appointments that live in the source, from a date on. */
export async function upcomingOf(executor: Executor, sourceId: string, from: string): Promise<number> {
  const { count } = await executor
    .selectFrom("appointments")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("source_id", "=", sourceId)
    .where("window_id", "is", null)
    .where("status", "=", "confirmed")
    .where("date", ">=", from)
    .executeTakeFirstOrThrow();
  return count;
}
