// Makes a backup next to a running server: one file that is complete, private and verified before it gets its final
// name.
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";
import { assertDiskSpace, flush } from "../archive/archive-file.ts";
import { createArchive, type ArchiveWriter } from "../archive/archive-writer.ts";
import { countRows, filesKnownTo, snapshotDatabase, type DatabaseFacts } from "./database-copy.ts";
import { canBeSealed, sealedCopy, type FileKeys, type SealedCopy } from "./sealed-copy.ts";
import { sealFile } from "./sealed-files.ts";
import { wrappedKeysIn } from "../folder-keys.ts";
import type { SecuritySettings } from "../port.ts";
import { RootKeyError } from "../root-key.ts";
import type { FileKey } from "../sqlite/cipher.ts";
import { presentFileKey } from "../sqlite/settled-key.ts";
import { BackupError } from "../archive/fault.ts";
import { DATABASE_ENTRY, FORMAT, PLAIN_FORMAT, UNSEALED_FORMAT } from "../archive/manifest.ts";
import { isRestorePending } from "../archive/pending-restore.ts";
import { entryBytes } from "../archive/tar.ts";

export interface BackupOrder {
  dataDir: string;
  security?: SecuritySettings;
  target: string;
  withRecordings: boolean;
  /** Version of this binary. */
  madeBy: string;
  /** ISO 8601. */
  madeAt: string;
  /** A copy that is put back into the same folder or deleted: nothing in it is sealed. */
  isForRollback?: boolean;
  progress?: (step: string, doneBytes: number, totalBytes: number) => void;
}

export interface BackupFacts {
  bytes: number;
  schema: number;
  /** Number of recordings and captures. */
  files: number;
  /** Named by the database, but missing on disk. */
  missing: number;
  /** Rows of each table. */
  rows: Readonly<Record<string, number>>;
  /** False if the database is of an older version, or for a rollback: older keys open everything in it. */
  isSealed: boolean;
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
    if (error instanceof BackupError || error instanceof RootKeyError) throw error;
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
  const key = presentFileKey(order, source);
  const made = databasePart(order, source, copy, key);
  // Wrapped by the root key, which is never part of a backup.
  const data_keys = wrappedKeysIn(dataDir);

  const names = () => (withRecordings ? filesKnownTo(copy, key) : []);
  let totalBytes = entryBytes(made.bytes);
  for (const name of names()) totalBytes += entryBytes(sizeOf(join(dataDir, name))) + MANIFEST_LINE_BYTES;
  assertDiskSpace(dirname(target), totalBytes, "The backup");

  const finished = join(partial, "archive");
  const archive = createArchive(finished, join(partial, "list"), (step, done) => progress(step, done, totalBytes));
  let fileKeys: FileKeys | null = null;
  try {
    fileKeys = made.openFileKeys?.() ?? null;
    if (!archive.add(DATABASE_ENTRY, copy)) throw new BackupError("The copy of the database is gone.");
    let wanted = 0;
    for (const name of names()) {
      wanted++;
      addFile(archive, { name, source: join(dataDir, name), scratch: join(partial, "file"), fileKeys });
    }
    const head = {
      format: made.store !== undefined ? FORMAT : data_keys === null ? PLAIN_FORMAT : UNSEALED_FORMAT,
      ringward: order.madeBy,
      schema: made.schema,
      made_at: order.madeAt,
      with_recordings: withRecordings,
      rows: made.rows,
      ...(data_keys === null ? {} : { data_keys }),
      ...(made.store === undefined ? {} : { person_keys: made.store }),
    };
    const isGone = (name: string) => name !== DATABASE_ENTRY && !existsSync(join(dataDir, name));
    const { files, bytes } = archive.finish(head, isGone);
    putInPlace(finished, target);
    const isSealed = made.store !== undefined;
    return { bytes, schema: made.schema, files: files - 1, missing: wanted - (files - 1), rows: made.rows, isSealed };
  } finally {
    fileKeys?.close();
    archive.abandon();
  }
}

type DatabasePart = DatabaseFacts & Pick<BackupFacts, "rows"> & Partial<Pick<SealedCopy, "store" | "openFileKeys">>;

/** A database of an older version is copied as it is. */
function databasePart(order: BackupOrder, source: string, copy: string, key: FileKey): DatabasePart {
  if (order.isForRollback !== true && canBeSealed(source, key)) return sealedCopy(source, copy, key);
  return { ...snapshotDatabase(source, copy, key), rows: countRows(copy, key) };
}

interface AddedFile {
  name: string;
  source: string;
  scratch: string;
  fileKeys: FileKeys | null;
}

/** Leaves the archive unchanged if the file is gone. */
function addFile(archive: ArchiveWriter, { name, source, scratch, fileKeys }: AddedFile): void {
  if (!fileKeys) {
    archive.add(name, source);
    return;
  }
  const person = fileKeys.of(name);
  if (!person) throw new BackupError(`${name} has no key in the copy of the database.`);
  if (sealFile(source, scratch, name, person)) archive.add(name, scratch);
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
