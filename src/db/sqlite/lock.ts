// One server per data folder. The lock is SQLite's file lock on an empty database next to the real one, so the
// operating system releases it however the process ends.
import Sqlite from "better-sqlite3";
import { join } from "node:path";
import { giveToFolderOwner } from "../../core/given-owner.ts";
import { explanationOf } from "../open-fault.ts";

export interface DataLock {
  release(): void;
}

const LOCK_FILE = "ringward.lock";

/** Returns null if another process holds the folder, or the lock with this name in it. */
export function tryLock(dataDir: string, name = LOCK_FILE): DataLock | null {
  const file = join(dataDir, name);
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    giveToFolderOwner(file);
  } catch (error) {
    connection.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw explanationOf(dataDir, error);
  }
  return {
    release() {
      // Closing ends the open transaction and releases the lock; closing twice has no effect.
      connection.close();
    },
  };
}
