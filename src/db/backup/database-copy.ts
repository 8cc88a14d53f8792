// Database part of a backup: a snapshot taken while the server writes, and its verification.
import Sqlite from "better-sqlite3";
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import { unlock, type FileKey } from "../sqlite/cipher.ts";
import { APPLICATION_ID } from "../sqlite/connection.ts";
import { openReader } from "../sqlite/open-reader.ts";
import { latestVersion } from "../migrations.ts";
import { schemaVersion } from "../sqlite/migrate.ts";
import { BackupError } from "../archive/fault.ts";
import { isFileEntry } from "../archive/manifest.ts";

interface NamedFile {
  /** Its name in messages. */
  calledThus?: string;
  key?: FileKey;
}

export interface DatabaseFacts {
  bytes: number;
  schema: number;
}

/**
 * VACUUM INTO copies one consistent snapshot. It only reads, so it never blocks a write. It omits free pages, so erased
 * data is not copied. The copy of an encrypted database is encrypted with the same key.
 */
export function snapshotDatabase(databaseFile: string, copy: string, key: FileKey = null): DatabaseFacts {
  // SQLite would create the file with the umask's mode, but keeps the mode of an existing empty file; its side files
  // inherit it.
  closeSync(openSync(copy, "wx", 0o600));
  const source = openReader(databaseFile, key);
  try {
    // The copy is a new file: query_only protects the source.
    source.pragma("query_only = OFF");
    source.prepare("VACUUM INTO ?").run(copy);
  } finally {
    source.close();
  }
  return verifyDatabase(copy, { key });
}

/**
 * The files of finished calls according to the database, as archive entries in archive order. A call in progress stays
 * unfinished after a restore, and its recording would be incomplete.
 */
export function* filesKnownTo(databaseFile: string, key: FileKey = null): Generator<string> {
  const connection = openQuietly(databaseFile, { key });
  try {
    // Sorts in memory: a temporary file would be another copy to keep private.
    connection.pragma("temp_store = MEMORY");
    const captures = connection.prepare(
      "SELECT 'captures/' || call_lines.capture_file AS name FROM call_lines JOIN calls ON calls.id = call_lines.call_id " +
        "WHERE call_lines.capture_file IS NOT NULL AND calls.finished_at IS NOT NULL ORDER BY 1",
    );
    const recordings = connection.prepare(
      "SELECT 'recordings/' || recording_file AS name FROM calls " +
        // Recordings of simulated calls are regenerated on demand.
        "WHERE recording_file NOT LIKE '%.simulated.wav' AND finished_at IS NOT NULL ORDER BY 1",
    );
    for (const statement of [captures, recordings]) {
      for (const name of statement.pluck().iterate()) if (typeof name === "string" && isFileEntry(name)) yield name;
    }
  } finally {
    connection.close();
  }
}

/** Rows of each table. Virtual tables and their parts are left out: they are made of the others. */
export function countRows(databaseFile: string, key: FileKey = null): Record<string, number> {
  const connection = openQuietly(databaseFile, { key });
  try {
    const tables = connection
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all() as { name: string; sql: string }[];
    const virtual = tables.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name);
    const isMade = (name: string) => virtual.some((of) => name === of || name.startsWith(`${of}_`));
    const count = (name: string) => Number(connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
    return Object.fromEntries(tables.flatMap(({ name }) => (isMade(name) ? [] : [[name, count(name)]])));
  } finally {
    connection.close();
  }
}

/**
 * Throws if the file is not an intact Ringward database that this binary can serve.
 */
export function verifyDatabase(file: string, { calledThus = file, key = null }: NamedFile = {}): DatabaseFacts {
  if (!existsSync(file)) throw new BackupError(`There is no file at ${calledThus}.`);
  const connection = openQuietly(file, { calledThus, key });
  try {
    if (connection.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
      throw new BackupError(`${calledThus} is not a Ringward backup.`);
    }
    const schema = schemaVersion(connection);
    if (schema > latestVersion()) {
      throw new BackupError(
        `${calledThus} was made by a newer Ringward (schema ${schema}, this one knows ${latestVersion()}).`,
      );
    }
    const findings = connection.pragma("integrity_check(5)", { simple: true });
    if (findings !== "ok") throw new BackupError(`${calledThus} is damaged: ${String(findings)}`);
    return { bytes: statSync(file).size, schema };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${calledThus} cannot be read as a database: ${messageOf(error)}`, { cause: error });
  } finally {
    connection.close();
  }
}

/**
 * Checkpoints the WAL into the file. A damaged database, which a restore may be replacing, is not touched: opening it
 * could lose its WAL.
 */
export function settleWal(databaseFile: string, key: FileKey = null): void {
  if (!existsSync(databaseFile)) return;
  try {
    verifyDatabase(databaseFile, { key });
  } catch {
    return;
  }
  const old = new Sqlite(databaseFile);
  unlock(old, key);
  old.pragma("wal_checkpoint(TRUNCATE)");
  old.close();
}

function openQuietly(file: string, { calledThus = file, key = null }: NamedFile): Sqlite.Database {
  try {
    const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
    unlock(connection, key);
    return connection;
  } catch (error) {
    throw new BackupError(`${calledThus} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
}
