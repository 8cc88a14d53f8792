// Store of delivered files, their faults, and folders with a problem.
import type { Position } from "../../core/pages.ts";
import { prepared, preparedWrite } from "../../db/prepared.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { FolderProblem } from "../../payloads/source-file.ts";
import type { SourceFile } from "./records.ts";

export async function insertFile(tx: Tx, row: SourceFile): Promise<void> {
  await tx.insertInto("source_files").values(row).execute();
}

export async function updateFile(tx: Tx, id: string, change: Partial<Omit<SourceFile, "id">>): Promise<void> {
  await tx.updateTable("source_files").set(change).where("id", "=", id).execute();
}

const selectOpen = prepared<{ sourceId: string }>()((db, { sourceId }) =>
  db.selectFrom("source_files").selectAll().where("source_id", "=", sourceId).where("finished_at", "is", null),
);

/** The file that is being read, or waits for a person: one of each source. */
export async function openFileOf(executor: Executor, sourceId: string): Promise<SourceFile | undefined> {
  const [row] = await selectOpen(executor, { sourceId });
  return row;
}

export async function fileById(executor: Executor, id: string): Promise<SourceFile | undefined> {
  return executor.selectFrom("source_files").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The newest that was read with this content. */
export async function readWithHash(executor: Executor, sourceId: string, hash: string) {
  return executor
    .selectFrom("source_files")
    .select(["id", "received_at"])
    .where("source_id", "=", sourceId)
    .where("hash", "=", hash)
    .where("state", "=", "done")
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The newest that was read. */
export async function lastRead(executor: Executor, sourceId: string) {
  return executor
    .selectFrom("source_files")
    .select("id")
    .where("source_id", "=", sourceId)
    .where("state", "=", "done")
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

export interface FilePage {
  organisationId: string;
  sourceId: string;
  before?: Position | undefined;
  limit: number;
}

/** Newest first. */
export async function listFiles(executor: Executor, page: FilePage): Promise<SourceFile[]> {
  const { organisationId, sourceId, before, limit } = page;
  let query = executor
    .selectFrom("source_files")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("source_id", "=", sourceId);
  if (before)
    query = query.where((eb) => eb(eb.refTuple("received_at", "id"), "<", eb.tuple(before.createdAt, before.id)));
  return query.orderBy("received_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

const upsertFault = preparedWrite<{ file_id: string; row_number: number; message: string }>()((db, p) =>
  db
    .insertInto("source_file_faults")
    .values({ file_id: p.file_id, row_number: p.row_number, message: p.message })
    .onConflict((conflict) => conflict.columns(["file_id", "row_number"]).doUpdateSet({ message: p.message })),
);

export async function putFault(tx: Tx, fileId: string, row: number, message: string): Promise<void> {
  await upsertFault(tx, { file_id: fileId, row_number: row, message });
}

export async function faultsOf(executor: Executor, fileId: string): Promise<[row: number, message: string][]> {
  const rows = await executor
    .selectFrom("source_file_faults")
    .select(["row_number", "message"])
    .where("file_id", "=", fileId)
    .orderBy("row_number")
    .execute();
  return rows.map(({ row_number, message }) => [row_number, message]);
}

export async function deleteFaults(tx: Tx, fileId: string): Promise<void> {
  await tx.deleteFrom("source_file_faults").where("file_id", "=", fileId).execute();
}

/** Finished before this, the oldest first. */
export async function finishedBefore(executor: Executor, sourceId: string, before: number, limit: number) {
  return executor
    .selectFrom("source_files")
    .select("id")
    .where("source_id", "=", sourceId)
    .where("finished_at", "<", before)
    .orderBy("finished_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Those of them that are still in the folder. */
export async function keptBefore(executor: Executor, sourceId: string, before: number, limit: number) {
  return executor
    .selectFrom("source_files")
    .select(["id", "moved_to"])
    .where("source_id", "=", sourceId)
    .where("finished_at", "<", before)
    .where("moved_to", "is not", null)
    .$narrowType<{ moved_to: string }>()
    .orderBy("finished_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function deleteFile(tx: Tx, id: string): Promise<void> {
  await deleteFaults(tx, id);
  await tx.deleteFrom("source_files").where("id", "=", id).execute();
}

export async function problemOf(executor: Executor, sourceId: string): Promise<FolderProblem | null> {
  const row = await executor
    .selectFrom("source_folders")
    .select("problem")
    .where("source_id", "=", sourceId)
    .executeTakeFirst();
  return row?.problem ?? null;
}

export interface FolderState {
  source_id: string;
  organisation_id: string;
  problem: FolderProblem;
  since: number;
}

export async function putProblem(tx: Tx, { source_id, organisation_id, problem, since }: FolderState): Promise<void> {
  await tx
    .insertInto("source_folders")
    .values({ source_id, organisation_id, problem, since })
    .onConflict((conflict) => conflict.column("source_id").doUpdateSet({ problem, since }))
    .execute();
}

export async function clearProblem(tx: Tx, sourceId: string): Promise<void> {
  await tx.deleteFrom("source_folders").where("source_id", "=", sourceId).execute();
}
