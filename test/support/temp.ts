// Folders and files that last as long as the test run: scripts/bun-tests.ts gives each process a folder for all of them.
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openDatabase, type Database } from "../../src/db/database.ts";
import { silentLogger } from "../../src/core/logger.ts";

export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), "ringward-unit-"));
}

let migrated: string | undefined;

/** The migrations take longer than most tests, so they run once for each process; every test gets a copy. */
function migratedDatabase(): string {
  const db = openDatabase(tempFolder(), { logger: silentLogger, as: "server" });
  // All of it stands in the file itself from here on.
  db.truncateWal();
  void db.close();
  return db.file;
}

/** A data folder with an empty database of this source's schema. */
export function newDataFolder(): string {
  const folder = tempFolder();
  migrated ??= migratedDatabase();
  copyFileSync(migrated, join(folder, basename(migrated)));
  return folder;
}

/** A database with the schema of this source, in a folder of its own. */
export function openTempDatabase(): { db: Database; dataDir: string } {
  const dataDir = newDataFolder();
  return { db: openDatabase(dataDir, { logger: silentLogger, as: "server" }), dataDir };
}

/** What a promise is rejected with; fails where it is not. */
export async function rejectionOf<E = Error>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise;
  } catch (error) {
    return error as E;
  }
  throw new Error("This should have been refused.");
}
