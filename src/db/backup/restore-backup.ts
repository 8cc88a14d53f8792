// Replaces the current data with a backup. Everything is first unpacked and verified in a separate folder; only then
// are files renamed (pending-restore.ts), and the previous data is kept.
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { lazily } from "../../core/lazily.ts";
import { stageRestored } from "../lineage/folder-memory.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";
import { assertDiskSpace, eachChunk, flush, writeAll } from "../archive/archive-file.ts";
import {
  checkArchive,
  headOf,
  kindOf,
  type ArchiveFacts,
  type ArchiveSink,
  type BackupKind,
  type RootKeysGiver,
} from "../archive/archive-reader.ts";
import { filesKnownTo, settleWal, verifyDatabase } from "./database-copy.ts";
import { BackupError } from "../archive/fault.ts";
import { backupKeysOf, NO_KEY_SOURCE } from "../key-source.ts";
import type { Place, SecuritySettings } from "../port.ts";
import { RootKeyError } from "../root-key.ts";
import { keyOfFile, type FileKey } from "../sqlite/cipher.ts";
import { findPersonKeys } from "./find-person-keys.ts";
import { holdDueCalls } from "./hold-due-calls.ts";
import { isSealedCopy, openSealedCopy, type OpenedCopy } from "./opened-copy.ts";
import type { PersonKeys } from "./person-keys.ts";
import { convertStaged, restoredKeys, type RestoredKeys } from "./restored-keys.ts";
import { openFile } from "./sealed-files.ts";
import { DATABASE_ENTRY, FILE_FOLDERS } from "../archive/manifest.ts";
import {
  asideOf,
  decideRestore,
  finishRestore,
  RESTORE_FOLDER,
  writePlan,
  type Step,
} from "../archive/pending-restore.ts";

export interface RestoreOrder {
  file: string;
  dataDir: string;
  security?: SecuritySettings;
  /** The time of the restore: calls due by then are held. */
  restoredAt: number;
  /** Suffix in the names of the previous data. */
  stamp: string;
  /** The key file of people that a person names. */
  personKeys?: string;
  /** Whose keys of people are the newest; without it, those of the data folder. */
  livePlace?: Place;
  progress?: (step: string, doneBytes: number, totalBytes: number) => void;
  step?: Step;
}

export interface RestoreFacts {
  kind: BackupKind;
  /** When the backup was made; null for a bare database, which does not say so. */
  madeAt: string | null;
  /** Number of restored recordings and captures; null if the backup was made without them, and none were touched. */
  files: number | null;
  /** Rows of each table according to the backup; null if it does not say so. */
  rows: Readonly<Record<string, number>> | null;
  /** Calls that were due at the time of the restore, and wait for a person's decision. */
  heldCalls: number;
  /** The previous data, by its new names. */
  setAside: string[];
  /** People and calls erased since the backup, which were not restored. Null: the backup may show erased people. */
  erased: number | null;
  /** Rows of each table, and "files", that went with them. */
  gone: Readonly<Record<string, number>>;
}

const FOLDERS = Object.keys(FILE_FOLDERS);

/** The data folder must be locked by this process: no server may use it. */
export function restoreBackup(order: RestoreOrder): RestoreFacts {
  const { dataDir, step = () => {} } = order;
  // A committed restore that was interrupted is completed first: the data it set aside is older.
  finishRestore(dataDir);
  const staged = stage(order);
  step();
  try {
    const setAside = finishRestore(dataDir, step) ?? [];
    return { ...staged, setAside };
  } catch (error) {
    throw new BackupError(
      `The restore is whole but not in place yet: ${messageOf(error)}. Mend that; the next start of Ringward carries it to its end.`,
      { cause: error },
    );
  }
}

/** Up to here only our own folder was touched; from here on the restore is committed. */
function stage(order: RestoreOrder): Omit<RestoreFacts, "setAside"> {
  const { file, dataDir, stamp, restoredAt, step = () => {} } = order;
  const staging = join(dataDir, RESTORE_FOLDER);
  const kind = kindOf(file);
  const rootKeys = lazily(() => backupKeysOf(dataDir, order.security ?? NO_KEY_SOURCE));
  const head = kind === "archive" ? headOf(file, rootKeys) : null;
  const keys = restoredKeys(order, head?.data_keys);
  const personKeys = personKeysFor(order, head?.person_keys);
  assertDiskSpace(dataDir, statSync(file).size, "The restore");
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    step();
    const staged = kind === "archive" ? stageArchive(order, staging, keys, rootKeys) : stageDatabase(file, staging);
    const { madeAt, files, rows } = staged;
    const key = convertStaged(staging, keys);
    const opened = personKeys && openPeople(staging, key, personKeys);
    if (files === null) for (const folder of FOLDERS) rmSync(join(staging, folder), { recursive: true, force: true });
    assertSwappable(dataDir, files === null ? [] : FOLDERS, stamp);
    step();
    const heldCalls = holdDueCalls(join(staging, DATABASE_ENTRY), restoredAt, key);
    flush(join(staging, DATABASE_ENTRY));
    stageRestored(dataDir, staging, restoredAt);
    writePlan(staging, stamp);
    if (process.getuid?.() === 0) giveToOwnerOf(dataDir, staging);
    const present = join(dataDir, DATABASE_FILE);
    settleWal(present, keyOfFile(present, keys.present));
    step();
    decideRestore(dataDir);
    const { erased = null, gone = {} } = opened ?? {};
    return { kind, madeAt, files: files && files - (gone["files"] ?? 0), rows, heldCalls, erased, gone };
  } catch (error) {
    if (error instanceof BackupError || error instanceof RootKeyError) throw error;
    throw new BackupError(`The restore failed: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function personKeysFor(order: RestoreOrder, store: string | undefined): PersonKeys | null {
  if (store === undefined) return null;
  const { file, dataDir, livePlace, personKeys: given } = order;
  const place = livePlace ?? { dataDir, ...(order.security && { security: order.security }) };
  return findPersonKeys({ file, store, place, isLocked: livePlace === undefined, given });
}

/** The database, then the files beside it. */
function openPeople(staging: string, key: FileKey, keys: PersonKeys): OpenedCopy {
  const opened = openSealedCopy(join(staging, DATABASE_ENTRY), key, keys);
  const byId = new Map(keys.keys.map((one) => [one.id, one]));
  let files = 0;
  for (const name of opened.erasedFiles) {
    if (!existsSync(join(staging, name))) continue;
    rmSync(join(staging, name));
    files++;
  }
  for (const folder of FOLDERS) {
    const path = join(staging, folder);
    for (const name of existsSync(path) ? readdirSync(path) : [])
      if (!openFile(join(path, name), `${folder}/${name}`, (id) => byId.get(id))) files++;
    if (existsSync(path)) flush(path);
  }
  return { ...opened, gone: { ...opened.gone, ...(files > 0 && { files }) } };
}

/** After a restore by root, the server, which is not root, must still be able to open its files. */
function giveToOwnerOf(dataDir: string, staging: string): void {
  const { uid, gid } = statSync(dataDir);
  const names = [staging, ...FOLDERS.map((folder) => join(staging, folder))];
  for (const folder of names.filter((name) => existsSync(name))) {
    lchownSync(folder, uid, gid);
    for (const name of readdirSync(folder)) lchownSync(join(folder, name), uid, gid);
  }
}

type StagedFacts = Pick<RestoreFacts, "madeAt" | "files" | "rows">;

/** A backup by an older Ringward. SQLite's integrity check is the only verification available. */
function stageDatabase(file: string, staging: string): StagedFacts {
  verifyDatabase(file);
  const copy = join(staging, DATABASE_ENTRY);
  copyPrivately(file, copy);
  verifyDatabase(copy, { calledThus: file });
  if (isSealedCopy(copy))
    throw new BackupError(
      `${file} was taken out of a backup, and what is about people in it is sealed. Restore the backup.`,
    );
  return { madeAt: null, files: null, rows: null };
}

/** copyFile would copy the source's mode. */
function copyPrivately(source: string, copy: string): void {
  const from = openSync(source, "r");
  const to = openSync(copy, "wx", 0o600);
  try {
    eachChunk(from, 0, fstatSync(from).size, (chunk, at) => writeAll(to, chunk, at));
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

function stageArchive(
  { file, progress = () => {} }: RestoreOrder,
  staging: string,
  keys: RestoredKeys,
  rootKeys: RootKeysGiver,
): StagedFacts {
  for (const folder of FOLDERS) mkdirSync(join(staging, folder), { mode: 0o700 });
  const totalBytes = statSync(file).size;
  const unpacking = unpackInto(staging, file, keys);
  let facts: ArchiveFacts;
  try {
    facts = checkArchive(file, {
      sink: unpacking,
      progress: (done) => progress("Checking and unpacking", done, totalBytes),
      rootKeys,
    });
  } finally {
    unpacking.abandon();
  }
  for (const folder of FOLDERS) flush(join(staging, folder));
  const { made_at: madeAt, with_recordings: hasFiles, rows = null } = facts.head;
  return { madeAt, files: hasFiles ? facts.files : null, rows };
}

/** Names come from the manifest and were validated against the only allowed pattern (`isFileEntry`). */
function unpackInto(staging: string, file: string, { backup }: RestoredKeys): ArchiveSink & { abandon(): void } {
  const database = join(staging, DATABASE_ENTRY);
  let out: number | null = null;
  let known: Generator<string> | null = null;
  const abandon = () => {
    if (out !== null) closeSync(out);
    out = null;
    known?.return(undefined);
    known = null;
  };
  /** A file that belongs to no call in the database would never be erased. Both lists are in the same order. */
  const assertKnown = (name: string) => {
    if (name === DATABASE_ENTRY) return;
    known ??= filesKnownTo(database, keyOfFile(database, backup));
    for (let next = known.next(); !next.done; next = known.next()) if (next.value === name) return;
    throw new BackupError(`${file} holds ${name}, which belongs to none of its calls.`);
  };
  return {
    begin({ name }) {
      assertKnown(name);
      out = openSync(join(staging, name), "wx", 0o600);
    },
    chunk(bytes) {
      for (let done = 0; out !== null && done < bytes.length;) done += writeSync(out, bytes, done);
    },
    end({ name }) {
      if (out === null) return;
      fsyncSync(out);
      closeSync(out);
      out = null;
      if (name === DATABASE_ENTRY)
        verifyDatabase(database, { calledThus: file, key: keyOfFile(database, backup, file) });
    },
    abandon,
  };
}

/** Renaming a symbolic link would leave the recordings in place, and a mount point cannot be renamed. */
function assertSwappable(dataDir: string, folders: readonly string[], stamp: string): void {
  const taken = [...folders, DATABASE_FILE]
    .map((part) => asideOf(dataDir, part, stamp))
    .find((path) => existsSync(path));
  if (taken !== undefined) throw new BackupError(`The restore failed: ${taken} exists already.`);
  const { dev } = statSync(dataDir);
  for (const folder of folders) {
    const path = join(dataDir, folder);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found || (found.isDirectory() && found.dev === dev)) continue;
    throw new BackupError(
      `${path} is a link or a volume of its own, which a restore cannot set aside. ` +
        "Restore into another folder with --data, and move the files from there.",
    );
  }
}
