// Encrypts, decrypts or re-encrypts a database file: a copy under the new key is made beside it, verified, and put in
// its place by one rename. A kill at any moment leaves the old file or the new one.
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { createLike } from "../../core/given-owner.ts";
import { assertDiskSpace, flush } from "../archive/archive-file.ts";
import { DatabaseError } from "../open-fault.ts";
import { chooseCipher, keyText, unlock, type FileKey } from "./cipher.ts";
import { isBusy } from "./direct-dialect.ts";
import { finishWipe } from "./free-space/sealed-wipe.ts";
import { BUSY_TIMEOUT_MS, openReader } from "./open-reader.ts";

export interface Conversion {
  file: string;
  from: FileKey;
  to: FileKey;
  progress: (step: string) => void;
}

const copyOf = (file: string) => `${file}-converting`;
/** An empty database under the new key: VACUUM INTO takes the key of the connection's main database. */
const scratchOf = (file: string) => `${file}-converting-key`;
const SHRED_BYTES = 2 ** 20;

/** No server uses the file. Other commands are kept out. */
export function convertInPlace({ file, from, to, progress }: Conversion): void {
  finishWipe(file);
  const source = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  let old: number | null = null;
  try {
    unlock(source, from);
    keepOthersOut(source);
    old = openSync(file, "r+");
    const copy = copyOf(file);
    convertedCopy({ file, copy, from, to, progress });
    flush(copy);
    renameSync(copy, file);
    flush(dirname(file));
  } finally {
    forgetConversion(file);
    source.close();
    if (old !== null) shred(old, progress);
  }
}

/** Leaves the source as it is. */
export function convertedCopy({ file, copy, from, to, progress }: Conversion & { copy: string }): void {
  forgetConversion(file);
  assertDiskSpace(dirname(file), statSync(file).size, "The conversion");
  progress("Copying the database");
  // SQLite keeps the mode and owner of an existing empty file.
  closeSync(createLike(file, copy));
  copyUnder({ file, copy, from, to, scratch: scratchOf(file) });
  progress("Comparing the copy");
  assertSame(file, from, copy, to);
}

/** Remains of a conversion that was cut off. The folder is locked by this process. */
export function forgetConversion(file: string): void {
  const paths = [copyOf(file), scratchOf(file)].flatMap((name) => [name, `${name}-journal`, `${name}-wal`]);
  for (const path of paths) rmSync(path, { force: true });
}

/** Whether another process converts the file: a command that opened it now would write into the old one. */
export const isConverting = (file: string): boolean => existsSync(scratchOf(file));

/** Leaves WAL mode, which fails while another process has the file open, and blocks writers from then on. */
function keepOthersOut(source: Sqlite.Database): void {
  try {
    if (source.pragma("journal_mode = DELETE", { simple: true }) !== "delete") throw heldByOther();
    source.exec("BEGIN IMMEDIATE");
  } catch (error) {
    throw isBusy(error) ? heldByOther(error) : error;
  }
}

const heldByOther = (cause?: unknown) =>
  new DatabaseError("Another command uses the database. Wait until it has ended, and run this one again.", {
    fault: "held",
    cause,
  });

function copyUnder({
  file,
  copy,
  from,
  to,
  scratch,
}: Omit<Conversion, "progress"> & Record<"copy" | "scratch", string>) {
  const connection = new Sqlite(scratch);
  try {
    connection.pragma("temp_store = MEMORY");
    if (to === null) chooseCipher(connection);
    unlock(connection, to);
    // An empty file has no key yet.
    connection.exec("CREATE TABLE key_holder (id INTEGER PRIMARY KEY)");
    connection.prepare(`ATTACH ? AS source KEY ${keyText(from)}`).run(file);
    connection.prepare("VACUUM source INTO ?").run(copy);
  } finally {
    connection.close();
    rmSync(scratch, { force: true });
  }
}

function assertSame(file: string, from: FileKey, copy: string, to: FileKey): void {
  const before = openReader(file, from);
  try {
    const after = openReader(copy, to);
    try {
      const findings = after.pragma("integrity_check(5)", { simple: true });
      const isSame = findings === "ok" && JSON.stringify(factsOf(before)) === JSON.stringify(factsOf(after));
      if (!isSame) throw new DatabaseError("The converted copy differs from the database. Nothing was changed.");
    } finally {
      after.close();
    }
  } finally {
    before.close();
  }
}

/** Version numbers of the file, and the number of rows of each table. */
function factsOf(connection: Sqlite.Database): unknown[] {
  const tables = connection
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name")
    .pluck()
    .all() as string[];
  const counts = tables.map((name) => [name, connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get()]);
  return [connection.pragma("application_id"), connection.pragma("user_version"), counts];
}

/** As far as the disk overwrites in place, which an SSD does not promise. Never a file that has another name, too. */
function shred(fd: number, progress: (step: string) => void): void {
  try {
    const { nlink, size } = fstatSync(fd);
    if (nlink > 0) return;
    progress("Overwriting the old file");
    const zeros = Buffer.alloc(SHRED_BYTES);
    for (let at = 0; at < size; at += zeros.length) writeSync(fd, zeros, 0, Math.min(zeros.length, size - at), at);
    fsyncSync(fd);
  } catch {
    // The file is deleted in any case.
  } finally {
    closeSync(fd);
  }
}
