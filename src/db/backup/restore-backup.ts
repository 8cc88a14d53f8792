// Puts a backup in the place of what is there. All of it is unpacked and checked in a folder beside first; only then are
// names changed, and what was there before is kept.
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
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { DATABASE_FILE } from "../database.ts";
import { assertRoom, eachChunk, flush, writeAll } from "./archive-file.ts";
import { checkArchive, kindOf, type ArchiveFacts, type ArchiveSink, type BackupKind } from "./archive-reader.ts";
import { filesKnownTo, swapDatabase, verifyDatabase } from "./database-copy.ts";
import { BackupError } from "./fault.ts";
import { holdDueCalls } from "./hold-due-calls.ts";
import { DATABASE_ENTRY, FILE_FOLDERS } from "./manifest.ts";

export interface RestoreOrder {
  file: string;
  dataDir: string;
  /** The moment of the restore: calls that were due by then are held. */
  restoredAt: number;
  /** Goes into the names of what is set aside. */
  stamp: string;
  progress?: (step: string, doneBytes: number, totalBytes: number) => void;
}

export interface RestoreFacts {
  kind: BackupKind;
  /** Recordings and captures brought back; null where the backup was made without them, and none were touched. */
  files: number | null;
  /** Calls that were due by the moment of the restore, and wait for a person's word. */
  heldCalls: number;
  /** What was there before, by its new name. */
  setAside: string[];
}

const FOLDERS = Object.keys(FILE_FOLDERS);

/** Lies in the data folder, so that the swap is a change of names. A start of the server removes what a crash left of it. */
export const RESTORE_FOLDER = "restore.partial";

/** The data folder must be ours alone: no server may run on it. */
export function restoreBackup(order: RestoreOrder): RestoreFacts {
  const { file, dataDir } = order;
  const staging = join(dataDir, RESTORE_FOLDER);
  const kind = kindOf(file);
  assertRoom(dataDir, statSync(file).size, "The restore");
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    const files = kind === "archive" ? stageArchive(order, staging) : stageDatabase(file, staging);
    const heldCalls = holdDueCalls(join(staging, DATABASE_ENTRY), order.restoredAt);
    if (process.getuid?.() === 0) giveToOwnerOf(dataDir, staging);
    return { kind, files, heldCalls, setAside: swap(order, staging, files !== null) };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The restore failed: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** After a restore by root the server, which is not root, must still be able to open its files. */
function giveToOwnerOf(dataDir: string, staging: string): void {
  const { uid, gid } = statSync(dataDir);
  const names = [staging, ...FOLDERS.map((folder) => join(staging, folder))];
  for (const folder of names.filter((name) => existsSync(name))) {
    lchownSync(folder, uid, gid);
    for (const name of readdirSync(folder)) lchownSync(join(folder, name), uid, gid);
  }
}

/** What an older Ringward made. SQLite's own check is all there is to judge it by. */
function stageDatabase(file: string, staging: string): null {
  verifyDatabase(file);
  const copy = join(staging, DATABASE_ENTRY);
  copyPrivately(file, copy);
  verifyDatabase(copy, file);
  return null;
}

/** copyFile would give the copy the mode of its source. */
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

function stageArchive({ file, progress = () => {} }: RestoreOrder, staging: string): number | null {
  for (const folder of FOLDERS) mkdirSync(join(staging, folder), { mode: 0o700 });
  const totalBytes = statSync(file).size;
  const unpacking = unpackInto(staging, file);
  let facts: ArchiveFacts;
  try {
    facts = checkArchive(file, unpacking, (done) => progress("Checking and unpacking", done, totalBytes));
  } finally {
    unpacking.abandon();
  }
  for (const folder of FOLDERS) flush(join(staging, folder));
  return facts.head.with_recordings ? facts.files : null;
}

/** Names come from the manifest and were held against the one form they may have (`isFileEntry`). */
function unpackInto(staging: string, file: string): ArchiveSink & { abandon(): void } {
  let out: number | null = null;
  let known: Generator<string> | null = null;
  const abandon = () => {
    if (out !== null) closeSync(out);
    out = null;
    known?.return(undefined);
    known = null;
  };
  /** A file that no call in the database owns would never be erased by anybody. Both lists are in the same order. */
  const assertKnown = (name: string) => {
    if (name === DATABASE_ENTRY) return;
    known ??= filesKnownTo(join(staging, DATABASE_ENTRY));
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
      if (name === DATABASE_ENTRY) verifyDatabase(join(staging, DATABASE_ENTRY), file);
    },
    abandon,
  };
}

/** All or nothing: what was renamed before something failed gets its name back. */
function swap({ dataDir, stamp }: RestoreOrder, staging: string, withFiles: boolean): string[] {
  const folders = withFiles ? FOLDERS : [];
  assertSwappable(dataDir, folders);
  const setAside: string[] = [];
  const undo: (() => void)[] = [];
  const asideOf = (path: string) => `${path}.before-restore-${stamp}`;
  const rename = (from: string, to: string) => {
    renameSync(from, to);
    undo.unshift(() => renameSync(to, from));
  };
  try {
    for (const folder of folders) {
      const present = join(dataDir, folder);
      if (existsSync(present)) {
        rename(present, asideOf(present));
        setAside.push(asideOf(present));
      }
      rename(join(staging, folder), present);
    }
    const database = join(dataDir, DATABASE_FILE);
    if (swapDatabase(join(staging, DATABASE_ENTRY), database, asideOf(database))) setAside.unshift(asideOf(database));
    return setAside;
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
}

/** A link would leave the recordings where they are, and a volume of its own cannot be given another name. */
function assertSwappable(dataDir: string, folders: readonly string[]): void {
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
