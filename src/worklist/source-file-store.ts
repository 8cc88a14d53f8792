// Files and folders of the hospital's systems that need a person.
import { prepared } from "../db/prepared.ts";
import type { Executor } from "../db/tables.ts";
import type { WorklistKind } from "./kinds.ts";
import type { Trouble } from "./worklist-store.ts";

const selectFiles = prepared<{ since: number }>()((db, { since }) =>
  db
    .selectFrom("source_files")
    .innerJoin("sources", "sources.id", "source_files.source_id")
    .select(["source_files.organisation_id", "source_files.id as subject_id"])
    .where("source_files.state", "in", ["waiting", "asking", "faulty"])
    .where("sources.removed_at", "is", null)
    .where((eb) =>
      eb.or([
        eb.and([eb("source_files.state", "=", "waiting"), eb("source_files.reason", "is not", null)]),
        eb("source_files.state", "=", "asking"),
        eb("source_files.finished_at", ">=", since),
      ]),
    ),
);

const selectFolders = prepared<object>()((db) =>
  db
    .selectFrom("source_folders")
    .innerJoin("sources", "sources.id", "source_folders.source_id")
    .select(["source_folders.organisation_id", "source_folders.source_id as subject_id"])
    .where("sources.enabled", "=", 1)
    .where("sources.removed_at", "is", null),
);

/** `since`: files at fault that ended before are no longer shown. */
export async function sourceTroubles(
  executor: Executor,
  since: number,
): Promise<[kind: WorklistKind, troubles: Trouble[]][]> {
  return [
    ["source_file", await selectFiles(executor, { since })],
    ["source_folder", await selectFolders(executor, {})],
  ];
}

export async function filesNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor
    .selectFrom("source_files")
    .innerJoin("sources", "sources.id", "source_files.source_id")
    .select([
      "source_files.id",
      "source_files.name",
      "source_files.state",
      "source_files.reason",
      "source_files.absent",
      "source_files.known",
      "source_files.faults",
      "sources.name as source_name",
    ])
    .where("source_files.id", "in", ids)
    .execute();
}

export async function foldersNamed(executor: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return executor
    .selectFrom("source_folders")
    .innerJoin("sources", "sources.id", "source_folders.source_id")
    .select(["source_folders.source_id as id", "source_folders.problem", "sources.name as source_name"])
    .where("source_folders.source_id", "in", ids)
    .execute();
}
