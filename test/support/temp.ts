// Folders and files that last as long as the test run: scripts/bun-tests.ts gives each process a folder for all of them.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Database } from "../../src/db/database.ts";
import { silentLogger } from "../../src/core/logger.ts";

export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), "ringward-unit-"));
}

/** A database with the schema of this source, in a folder of its own. */
export function openTempDatabase(): { db: Database; dataDir: string } {
  const dataDir = tempFolder();
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
