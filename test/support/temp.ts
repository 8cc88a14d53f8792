// Folders and files that last as long as the test run: scripts/bun-tests.ts gives each process a folder for all of
// them.
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openDatabase, type Database } from "../../src/db/database.ts";
import { openPostgres } from "../../src/db/postgres/open.ts";
import { silentLogger, type Logger } from "../../src/core/logger.ts";
import { isOnPostgres } from "./engines.ts";
import { heardOf } from "./open-databases.ts";
import { borrowPostgres, settingsFor } from "./postgres.ts";
import { openRecycled } from "./recycled-wires.ts";
import { repeating } from "./repeating.ts";
import { storedAt } from "./stored-rows.ts";

export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), "ringward-unit-"));
}

let migrated: Promise<string> | undefined;

/** The migrations take longer than most tests, so they run once for each process; every test gets a copy. */
async function migratedDatabase(): Promise<string> {
  const db = await openDatabase({ dataDir: tempFolder() }, { logger: silentLogger, as: "server" });
  // All of it stands in the file itself from here on.
  await db.maintenance.upkeep();
  await db.close();
  return fileOf(db);
}

/** A data folder with an empty database of this source's schema. */
export async function newDataFolder(): Promise<string> {
  const folder = tempFolder();
  if (isOnPostgres) return folder;
  migrated ??= migratedDatabase();
  const file = await migrated;
  copyFileSync(file, join(folder, basename(file)));
  return folder;
}

/** A database with the schema of this source, in a folder of its own. */
export async function openTempDatabase(): Promise<{ db: Database; dataDir: string }> {
  const dataDir = await newDataFolder();
  return { db: await openTestDatabase(dataDir), dataDir };
}

/** On PostgreSQL it is another test's when it is closed. */
export async function openTestDatabase(dataDir: string, logger: Logger = silentLogger): Promise<Database> {
  if (!isOnPostgres) return repeating(await openDatabase({ dataDir }, { logger, as: "server" }));
  const { url, giveBack } = await borrowPostgres();
  storedAt(dataDir, url);
  urls.set(dataDir, url);
  // Enough to meet each other.
  const database = { ...settingsFor(url), connections: 8 };
  const db = await openPostgres({ dataDir, database }, { logger, as: "server" }, openRecycled);
  return heardOf(repeating(db), giveBack);
}

/** On PostgreSQL, where the database of a folder is. */
const urls = new Map<string, string>();

export const postgresUrlOf = (dataDir: string): string | undefined => urls.get(dataDir);

/** The same database once more, while it is open, as a command beside the server has it. */
export function openBeside(dataDir: string, url = urls.get(dataDir)): Promise<Database> {
  const at = url === undefined ? { dataDir } : { dataDir, database: settingsFor(url) };
  return openDatabase(at, { logger: silentLogger, as: "command" });
}

/** For what looks at the bytes, or reads beside the appliance. */
export function fileOf({ maintenance }: Database): string {
  if (maintenance.file === null) throw new Error(`There is no file: the data is in ${maintenance.where}.`);
  return maintenance.file;
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
