// SQLite database of a data folder: a writer, a read-only reader, and start and stop.
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { othersFirst, systemClock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { finishRestore, isRestorePending } from "../archive/pending-restore.ts";
import { latestVersion, migrationNews } from "../migrations.ts";
import { damagedWords, DatabaseError, explained, explanationOf } from "../open-fault.ts";
import { NO_STATS, type Database, type OpenOptions, type Place } from "../port.ts";
import { fileVersionOf, kyselyOn, openWriter, waitNowhere, type Connection } from "./connection.ts";
import { forgetConversion, isConverting } from "./convert.ts";
import { moverOn, startDiskThread, type DiskThread } from "./disk-thread.ts";
import type { FileKey } from "./cipher.ts";
import { durableCommits } from "./durable-commits.ts";
import { DATABASE_FILE, isLarge } from "./file.ts";
import { keepFreeSpaceClean } from "./free-space/upkeep.ts";
import { finishWipe } from "./free-space/sealed-wipe.ts";
import { AT_ONCE, type WalMover } from "./free-space/wal-mover.ts";
import { tryLock, type DataLock } from "./lock.ts";
import { maintenanceOf } from "./maintenance.ts";
import { migrateAloud, refuseNewer, schemaVersion } from "./migrate.ts";
import { createSoundness } from "./soundness.ts";
import { TableChanges } from "./table-changes.ts";
import { heavyReader, type WhileIdle } from "./heavy-reader.ts";
import { openReader } from "./open-reader.ts";
import { settledFileKey } from "./settled-key.ts";
import { createWriter } from "./writer.ts";

/** Creates the folder if it is missing. Returns null if a server is using it. */
function lockFolder(dataDir: string): DataLock | null {
  return explained(dataDir, () => {
    // Only the user who runs Ringward has access.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return tryLock(dataDir);
  });
}

export async function isFolderServed({ dataDir }: Place): Promise<boolean> {
  const lock = lockFolder(dataDir);
  lock?.release();
  return lock === null;
}

export async function openSqlite(at: Place, options: OpenOptions): Promise<Database> {
  const { dataDir } = at;
  const file = join(dataDir, DATABASE_FILE);
  if (options.as === "command" && !existsSync(file) && !isRestorePending(dataDir)) {
    throw new DatabaseError(`There is no database in ${dataDir} yet. Run "ringward setup" or "ringward serve" first.`);
  }
  try {
    return await openExplained(at, file, options);
  } catch (error) {
    throw explanationOf(dataDir, error);
  }
}

async function openExplained(at: Place, file: string, options: OpenOptions): Promise<Database> {
  const { logger, as } = options;
  const { dataDir } = at;
  const lock = lockFolder(dataDir);
  if (!lock && as === "server") {
    throw new DatabaseError(
      `Another Ringward is running on ${dataDir}. Stop it first, or name another folder with --data.`,
      { fault: "held" },
    );
  }
  try {
    completeRestore(dataDir, lock !== null, logger);
    const key = settledFileKey(at, file);
    if (lock) {
      forgetConversion(file);
      finishWipe(file);
    }
    const connection = lock ? openWriter(file, key) : openedBeside(file, key);
    chmodSync(file, 0o600);
    // Before any change: a damaged database is not migrated.
    if (as === "server" && isCheckedAtOpen(file, connection)) assertSound(connection);
    await prepareSchema(connection, lock !== null, logger);
    if (as === "command") lock?.release();
    // Next to a server, checkpoints are the server's task.
    if (as === "server" || !lock) connection.pragma("wal_autocheckpoint = 0");
    return assemble({ file, key, connection, lock: as === "server" ? lock : null, ...options });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Next to another process, which may be a conversion that is about to replace the file. */
function openedBeside(file: string, key: FileKey): Connection {
  const before = statSync(file).ino;
  const refused = () =>
    new DatabaseError("The database is being encrypted or decrypted. Try again when that has ended.", {
      fault: "held",
    });
  if (isConverting(file)) throw refused();
  const connection = openWriter(file, key);
  if (statSync(file).ino === before) return connection;
  connection.close();
  throw refused();
}

/** Runs before anything is opened: a restore interrupted during its swap leaves a mix of old and new. */
function completeRestore(dataDir: string, isOursAlone: boolean, logger: Logger): void {
  if (!isRestorePending(dataDir)) return;
  if (!isOursAlone) {
    throw new DatabaseError(`A restore is running in ${dataDir}. Try again when it has finished.`, { fault: "held" });
  }
  finishRestore(dataDir);
  logger.warn("An interrupted restore was completed.");
}

async function prepareSchema(connection: Connection, mayMigrate: boolean, logger: Logger): Promise<void> {
  if (mayMigrate) {
    const applied = await migrateAloud(connection, migrationNews(logger));
    if (applied.length > 0) logger.info("The database schema was upgraded.", { version: applied.at(-1) });
    eraseFromSearch(connection);
    return;
  }
  refuseNewer(connection);
  if (schemaVersion(connection) < latestVersion()) {
    throw new DatabaseError("The running server is older than this binary. Restart it with this binary first.");
  }
}

/**
 * Erased data must be gone: without this setting the trigrams of a deleted name stay in the index until a merge. It is
 * a row of an FTS5 table, which a schema cannot contain.
 */
function eraseFromSearch(connection: Connection): void {
  const isSet = connection.prepare("SELECT 1 FROM contact_search_config WHERE k = 'secure-delete' AND v = 1").get();
  if (!isSet) connection.exec("INSERT INTO contact_search (contact_search, rank) VALUES ('secure-delete', 1)");
}

function isCheckedAtOpen(file: string, connection: Connection): boolean {
  return !isLarge(file) || schemaVersion(connection) < latestVersion();
}

/** A single lookup in the primary key. */
function newestDeliveryId(connection: Connection): string | null {
  const id: unknown = connection.prepare("SELECT max(id) FROM deliveries").pluck().get();
  return typeof id === "string" ? id : null;
}

function assertSound(connection: Connection): void {
  const findings = connection.pragma("quick_check(10)", { simple: true });
  if (findings === "ok") return;
  throw new DatabaseError(damagedWords(String(findings)), { fault: "damaged" });
}

/** Null if commits wait on the writing thread: in a command, or if no thread can be started. */
function diskThread({ file, key, startDisk, logger }: Assembly): DiskThread | null {
  if (!startDisk) return null;
  try {
    return startDiskThread({ file, key }, startDisk, logger);
  } catch (error) {
    logger.warn("Commits wait for the disk on the serving thread.", { error: messageOf(error) });
    return null;
  }
}

interface Assembly extends OpenOptions {
  file: string;
  key: FileKey;
  connection: Connection;
  lock: DataLock | null;
}

function assemble(assembly: Assembly): Database {
  const { file, key, connection, lock, logger, startReader } = assembly;
  const { failed, fault } = createSoundness(file, logger);
  const changes = new TableChanges(fileVersionOf(connection));
  const readerConnection = openReader(file, key);
  waitNowhere(readerConnection);
  const reader = kyselyOn(readerConnection, { changes, failed });
  const disk = lock && diskThread(assembly);
  const durability =
    disk && durableCommits({ file, writer: connection, reader: readerConnection, changes, disk, logger });
  // A command next to a server leaves the WAL to the server.
  const committed = () => lock && freeSpace.committed();
  const writer = createWriter(connection, logger, systemClock, changes, committed, failed, durability);
  const mover: WalMover = {
    ...(disk ? moverOn(disk) : AT_ONCE),
    between: (run) => writer.between(run),
  };
  const durable = () => writer.durable();
  const heavy = startReader
    ? heavyReader({ file, key, start: startReader, clock: systemClock, logger, failed, durable })
    : null;
  const whileIdle: WhileIdle = heavy?.whileIdle ?? (async (run) => run());
  const connections = { writer: connection, reader: readerConnection };
  const freeSpace = keepFreeSpaceClean({ file, key, ...connections, logger, mover, whileIdle });
  return {
    engine: "sqlite",
    reader,
    heavy: heavy?.executor ?? reader,
    write: (command) => writer.write(command),
    get stats() {
      return { ...NO_STATS, ...writer.stats, ...freeSpace.stats };
    },
    newestDeliveryId: newestDeliveryId(connection),
    // A statement ends before anything else can start, and the writer starts a batch in the next turn.
    settled: () => heavy?.settled() ?? othersFirst(),
    maintenance: maintenanceOf(file, freeSpace, whileIdle, fault),
    async close() {
      await writer.drain();
      await heavy?.close();
      await freeSpace.stop(lock !== null);
      await disk?.close();
      readerConnection.close();
      connection.close();
      durability?.close();
      await freeSpace.close();
      lock?.release();
    },
  };
}
