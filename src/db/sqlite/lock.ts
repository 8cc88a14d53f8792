// One server per data folder. The lock is SQLite's own file lock on an empty database beside the real one,
// so the operating system lets go of it whichever way the process ends.
import Sqlite from "better-sqlite3";
import { join } from "node:path";

export interface DataLock {
  release(): void;
}

const LOCK_FILE = "ringward.lock";

/** Answers null where another process holds the folder, or the lock of another name in it. */
export function tryLock(dataDir: string, name = LOCK_FILE): DataLock | null {
  const connection = new Sqlite(join(dataDir, name), { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  return {
    release() {
      // Closing ends the open transaction, and with it the lock; closing twice does nothing.
      connection.close();
    },
  };
}
