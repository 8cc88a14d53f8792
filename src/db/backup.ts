// Backups: one file, taken while the server writes, and verified before it is called a backup.
import Sqlite from "better-sqlite3";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../core/errors.ts";
import { APPLICATION_ID, openReader } from "./connection.ts";
import { latestVersion, schemaVersion } from "./migrate.ts";

export class BackupError extends Error {}

export interface BackupFacts {
  bytes: number;
  schema: number;
}

/**
 * VACUUM INTO copies one consistent snapshot. It reads, so it never blocks a write, and it leaves out free pages,
 * so what was erased is not carried on.
 */
export function backupDatabase(databaseFile: string, target: string): BackupFacts {
  if (!existsSync(databaseFile)) throw new BackupError(`There is no database at ${databaseFile}.`);
  if (existsSync(target)) throw new BackupError(`${target} exists already. Name a new file.`);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  try {
    const source = openReader(databaseFile);
    try {
      // The copy is a new file of our own making: the connection's ban on writing is about the source.
      source.pragma("query_only = OFF");
      source.prepare("VACUUM INTO ?").run(partial);
    } finally {
      source.close();
    }
    chmodSync(partial, 0o600);
    const facts = verifyBackup(partial);
    flush(partial);
    renameSync(partial, target);
    flush(dirname(target));
    return facts;
  } catch (error) {
    rmSync(partial, { force: true });
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup could not be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws where the file is not a whole Ringward database that this binary can serve. */
export function verifyBackup(file: string): BackupFacts {
  if (!existsSync(file)) throw new BackupError(`There is no file at ${file}.`);
  const connection = openQuietly(file);
  try {
    if (connection.pragma("application_id", { simple: true }) !== APPLICATION_ID) {
      throw new BackupError(`${file} is not a Ringward backup.`);
    }
    const schema = schemaVersion(connection);
    if (schema > latestVersion()) {
      throw new BackupError(
        `${file} was made by a newer Ringward (schema ${schema}, this one knows ${latestVersion()}).`,
      );
    }
    const findings = connection.pragma("integrity_check(5)", { simple: true });
    if (findings !== "ok") throw new BackupError(`${file} is damaged: ${String(findings)}`);
    return { bytes: statSync(file).size, schema };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${file} cannot be read as a database: ${messageOf(error)}`, { cause: error });
  } finally {
    connection.close();
  }
}

/** Puts a verified backup in the place of the database. Answers where the old one was moved, if there was one. */
export function restoreDatabase(backupFile: string, databaseFile: string, setAsideAs: string): string | null {
  verifyBackup(backupFile);
  const incoming = `${databaseFile}.incoming`;
  rmSync(incoming, { force: true });
  copyFileSync(backupFile, incoming);
  chmodSync(incoming, 0o600);
  verifyBackup(incoming);
  flush(incoming);
  const hadOne = existsSync(databaseFile);
  if (hadOne) setAside(databaseFile, setAsideAs);
  renameSync(incoming, databaseFile);
  flush(dirname(databaseFile));
  return hadOne ? setAsideAs : null;
}

/** What is still in the WAL belongs to the old database: it goes into the file, or with it where the file is beyond that. */
function setAside(databaseFile: string, target: string): void {
  const isInFile = checkpointed(databaseFile);
  renameSync(databaseFile, target);
  if (!isInFile && existsSync(`${databaseFile}-wal`)) renameSync(`${databaseFile}-wal`, `${target}-wal`);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${databaseFile}${suffix}`, { force: true });
}

/** False, and nothing touched, for a damaged database: the very one that a restore replaces. Opening it could cost its WAL. */
function checkpointed(databaseFile: string): boolean {
  try {
    verifyBackup(databaseFile);
  } catch {
    return false;
  }
  const old = new Sqlite(databaseFile);
  old.pragma("wal_checkpoint(TRUNCATE)");
  old.close();
  return true;
}

function openQuietly(file: string): Sqlite.Database {
  try {
    return new Sqlite(file, { readonly: true, fileMustExist: true });
  } catch (error) {
    throw new BackupError(`${file} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
