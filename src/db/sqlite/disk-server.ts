// Implementation of the disk thread. It has its own connection for checkpoints; see disk-thread.ts.
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { messageOf } from "../../core/errors.ts";
import { unlock, type FileKey } from "./cipher.ts";
import { commitNothing } from "./commit-nothing.ts";
import type { DiskStep, FromDiskWorker, ToDiskWorker } from "../disk-protocol.ts";

const BYTES_PER_WRITE = 1024 * 1024;

export function serveDisk(tell: (message: FromDiskWorker) => void): (message: ToDiskWorker) => void {
  let file = "";
  let key: FileKey = null;
  let connection: Sqlite.Database | null = null;
  let wal: number | null = null;

  /** SQLite holds no lock on the WAL, so closing a descriptor of it drops none. */
  const log = (): number => (wal ??= openSync(`${file}-wal`, constants.O_RDWR));
  const database = (): Sqlite.Database => (connection ??= openForCheckpoints(file, key));

  const steps: Record<DiskStep, () => void> = {
    sync: () => fdatasyncSync(log()),
    rewrite() {
      writeAgain(log());
      fdatasyncSync(log());
    },
    /** The checkpoint that follows reports how much was moved. */
    move: () => void database().pragma("wal_checkpoint(PASSIVE)"),
    begin: () => commitNothing(database()),
    close() {
      connection?.close();
      if (wal !== null) closeSync(wal);
      connection = wal = null;
    },
  };

  function outcomeOf(step: DiskStep): FromDiskWorker {
    try {
      steps[step]();
      return { type: "done" };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : null;
      return { type: "fault", code, message: messageOf(error) };
    }
  }

  /**
   * Opens immediately: if the WAL were removed before the first step, a new one would be created in its place. The
   * first step reports an error.
   */
  function open(): void {
    try {
      database();
      log();
    } catch {
      // Retried by the first step.
    }
  }

  return (message) => {
    if (message.type === "open") {
      ({ file, key } = message);
      open();
    } else tell(outcomeOf(message.type));
  };
}

/** With the writer's relevant settings: moved pages are fsynced, and it waits for no lock. */
function openForCheckpoints(file: string, key: FileKey): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: 0, fileMustExist: true });
  unlock(connection, key);
  connection.pragma("synchronous = FULL");
  connection.pragma("secure_delete = ON");
  connection.pragma("wal_autocheckpoint = 0");
  // The first read opens the WAL.
  connection.pragma("user_version");
  return connection;
}

/**
 * After a failed fsync, Linux marks the unwritten pages clean, and the next fsync succeeds without writing them.
 * Rewriting them makes them dirty again. The caller holds the write lock, so no other program appends meanwhile.
 */
function writeAgain(fd: number): void {
  const { size } = fstatSync(fd);
  const chunk = Buffer.allocUnsafe(Math.min(BYTES_PER_WRITE, size));
  for (let at = 0; at < size;) {
    const length = readSync(fd, chunk, 0, chunk.length, at);
    if (length === 0) return;
    writeSync(fd, chunk, 0, length, at);
    at += length;
  }
}
