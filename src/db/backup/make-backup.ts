// Makes a backup next to a running server: one file that is complete, private and verified before it gets its final
// name.
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";
import { assertDiskSpace, flush } from "../archive/archive-file.ts";
import { createArchive } from "../archive/archive-writer.ts";
import { filesKnownTo, snapshotDatabase } from "./database-copy.ts";
import { BackupError } from "../archive/fault.ts";
import { DATABASE_ENTRY, FORMAT } from "../archive/manifest.ts";
import { isRestorePending } from "../archive/pending-restore.ts";
import { entryBytes } from "../archive/tar.ts";

export interface BackupOrder {
  dataDir: string;
  target: string;
  withRecordings: boolean;
  /** Version of this binary. */
  madeBy: string;
  /** ISO 8601. */
  madeAt: string;
  progress?: (step: string, doneBytes: number, totalBytes: number) => void;
}

export interface BackupFacts {
  bytes: number;
  schema: number;
  /** Number of recordings and captures. */
  files: number;
  /** Named by the database, but missing on disk. */
  missing: number;
}

/** Approximate manifest bytes per file, written once to a list and once to the archive. */
const MANIFEST_LINE_BYTES = 2 * 160;

/** Working folder of a backup. A folder, so the remains of a crash are never mistaken for a backup. */
export function partialOf(target: string): string {
  return `${target}.partial`;
}

export function makeBackup(order: BackupOrder): BackupFacts {
  const { dataDir, target } = order;
  if (!existsSync(join(dataDir, DATABASE_FILE))) throw new BackupError(`There is no database in ${dataDir}.`);
  if (isRestorePending(dataDir))
    throw new BackupError(
      `A restore was cut off in ${dataDir}. Start Ringward once, which carries it to its end; then back up.`,
    );
  if (existsSync(target)) throw new BackupError(`${target} exists already. Name a new file.`);
  const partial = partialOf(target);
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { mode: 0o700 });
    return assemble(order, partial);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup could not be written: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function assemble(order: BackupOrder, partial: string): BackupFacts {
  const { dataDir, target, withRecordings, progress = () => {} } = order;
  const source = join(dataDir, DATABASE_FILE);
  // The snapshot, plus its copy inside the archive.
  const databaseBytes = sizeOf(source) + sizeOf(`${source}-wal`);
  assertDiskSpace(dirname(target), 2 * databaseBytes, "The backup");
  progress("Copying and verifying the database", 0, databaseBytes);
  const copy = join(partial, DATABASE_ENTRY);
  const { schema, bytes: copyBytes } = snapshotDatabase(source, copy);

  const names = () => (withRecordings ? filesKnownTo(copy) : []);
  let totalBytes = entryBytes(copyBytes);
  for (const name of names()) totalBytes += entryBytes(sizeOf(join(dataDir, name))) + MANIFEST_LINE_BYTES;
  assertDiskSpace(dirname(target), totalBytes, "The backup");

  const finished = join(partial, "archive");
  const archive = createArchive(finished, join(partial, "list"), (step, done) => progress(step, done, totalBytes));
  try {
    if (!archive.add(DATABASE_ENTRY, copy)) throw new BackupError("The copy of the database is gone.");
    let wanted = 0;
    for (const name of names()) {
      wanted++;
      archive.add(name, join(dataDir, name));
    }
    const head = {
      format: FORMAT,
      ringward: order.madeBy,
      schema,
      made_at: order.madeAt,
      with_recordings: withRecordings,
    };
    const isGone = (name: string) => name !== DATABASE_ENTRY && !existsSync(join(dataDir, name));
    const { files, bytes } = archive.finish(head, isGone);
    putInPlace(finished, target);
    return { bytes, schema, files: files - 1, missing: wanted - (files - 1) };
  } finally {
    archive.abandon();
  }
}

/** A file created with this name meanwhile is not overwritten, except for a race between the check and the rename. */
function putInPlace(finished: string, target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) throw new BackupError(`${target} exists already. Name a new file.`);
  renameSync(finished, target);
  flush(dirname(target));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
