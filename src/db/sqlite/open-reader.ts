// Opens SQLite for reading. It does not use Kysely, to keep reader threads small.
import Sqlite from "better-sqlite3";
import { unlock, type FileKey } from "./cipher.ts";

/** How long a statement waits for another process (a CLI command, a backup) to release the file. */
export const BUSY_TIMEOUT_MS = 5_000;

export function openReader(file: string, key: FileKey = null): Sqlite.Database {
  const connection = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    unlock(connection, key);
    connection.pragma("query_only = ON");
    connection.pragma("temp_store = MEMORY");
    connection.pragma("cache_size = -32768");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
