// The database of one data folder: a writer, a read-only reader, and what start and stop must do.
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import {
  fileVersionOf,
  kyselyOn,
  openReader,
  openWriter,
  rememberBy,
  waitNowhere,
  type Connection,
} from "./connection.ts";
import { finishRestore, isRestorePending } from "./backup/pending-restore.ts";
import { keepFreeSpaceClean } from "./free-space/upkeep.ts";
import { tryLock, type DataLock } from "./lock.ts";
import { damagedWords, DatabaseError, explained } from "./open-fault.ts";
import { latestVersion, migrate, refuseNewer, schemaVersion } from "./migrate.ts";
import type { Executor, Tx } from "./tables.ts";
import { TableChanges } from "./table-changes.ts";
import { createWriter, type Command } from "./writer.ts";

export interface Database {
  readonly file: string;
  /** For reading outside a write. It sees everything that was committed. */
  readonly reader: Executor;
  write<T>(command: Command<T>): Promise<T>;
  readonly stats: {
    readonly commits: number;
    readonly commands: number;
    readonly waiting: number;
    /** How often the free space of pages was wiped, and how often the whole file was read for it; see free-space/wipe.ts. */
    readonly wipes: number;
    readonly looksThroughFile: number;
  };
  /** The id that sorts last among the deliveries of events; null where there is none. */
  newestDeliveryId(): string | null;
  /** Moves the WAL into the database file and empties it. Answers false where a reader stood in the way. */
  truncateWal(): boolean;
  /** After an erasure: takes copies of deleted rows out of the WAL and out of the free space of pages; see free-space/wipe.ts. */
  wipeFreeSpace(): Promise<boolean>;
  close(): Promise<void>;
}

export type { Executor, Tx };

export const DATABASE_FILE = "ringward.db";

/** Makes the folder where it is missing. Answers null where a server runs on it. */
export function lockFolder(dataDir: string): DataLock | null {
  return explained(dataDir, () => {
    // Only the user who runs Ringward may look inside.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return tryLock(dataDir);
  });
}

export interface OpenOptions {
  logger: Logger;
  /** "server" holds the folder for itself; "command" works beside a running server. */
  as: "server" | "command";
}

export function openDatabase(dataDir: string, { logger, as }: OpenOptions): Database {
  const file = join(dataDir, DATABASE_FILE);
  if (as === "command" && !existsSync(file) && !isRestorePending(dataDir)) {
    throw new DatabaseError(`There is no database in ${dataDir} yet. Run "ringward setup" or "ringward serve" first.`);
  }
  return explained(dataDir, () => openExplained(dataDir, file, { logger, as }));
}

function openExplained(dataDir: string, file: string, { logger, as }: OpenOptions): Database {
  const lock = lockFolder(dataDir);
  if (!lock && as === "server") {
    throw new DatabaseError(
      `Another Ringward is running on ${dataDir}. Stop it first, or name another folder with --data.`,
    );
  }
  try {
    completeRestore(dataDir, lock !== null, logger);
    const connection = openWriter(file);
    chmodSync(file, 0o600);
    // Before anything is changed: a damaged database is not migrated.
    if (as === "server" && isCheckedAtOpen(file, connection)) assertSound(connection);
    prepareSchema(connection, lock !== null, logger);
    if (as === "command") lock?.release();
    // Beside a server, that is the server's business.
    if (as === "server" || !lock) connection.pragma("wal_autocheckpoint = 0");
    return assemble(file, connection, as === "server" ? lock : null, logger);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Before anything is opened: a restore that was cut off in the middle of its swap left a mix of old and new. */
function completeRestore(dataDir: string, isOursAlone: boolean, logger: Logger): void {
  if (!isRestorePending(dataDir)) return;
  if (!isOursAlone) throw new DatabaseError(`A restore is under way in ${dataDir}. Try again when it has ended.`);
  finishRestore(dataDir);
  logger.warn("A restore that was cut off was carried to its end.");
}

function prepareSchema(connection: Connection, mayMigrate: boolean, logger: Logger): void {
  if (mayMigrate) {
    const applied = migrate(connection);
    if (applied.length > 0) logger.info("The database schema was brought up to date.", { version: applied.at(-1) });
    return;
  }
  refuseNewer(connection);
  if (schemaVersion(connection) < latestVersion()) {
    throw new DatabaseError("The running server is older than this binary. Restart it with this binary first.");
  }
}

/** Larger ones take a second and more; they are looked through beside the server that has opened them. */
const CHECKED_AT_OPEN_BYTES = 32 * 2 ** 20;
export const isLarge = (file: string): boolean => statSync(file).size > CHECKED_AT_OPEN_BYTES;

function isCheckedAtOpen(file: string, connection: Connection): boolean {
  return !isLarge(file) || schemaVersion(connection) < latestVersion();
}

/** At once, because ids are made from the first moment on. The primary key is asked, however many there are. */
function newestDeliveryId(connection: Connection): string | null {
  const id: unknown = connection.prepare("SELECT max(id) FROM deliveries").pluck().get();
  return typeof id === "string" ? id : null;
}

function assertSound(connection: Connection): void {
  const findings = connection.pragma("quick_check(10)", { simple: true });
  if (findings === "ok") return;
  throw new DatabaseError(damagedWords(String(findings)));
}

function assemble(file: string, connection: Connection, lock: DataLock | null, logger: Logger): Database {
  const changes = new TableChanges(fileVersionOf(connection));
  const readerConnection = openReader(file);
  waitNowhere(readerConnection);
  const freeSpace = keepFreeSpaceClean({ file, writer: connection, reader: readerConnection, logger });
  // A command beside a server leaves the WAL to the server.
  const committed = () => lock && freeSpace.committed();
  const writer = createWriter(connection, logger, systemClock, changes, committed);
  const reader = kyselyOn(readerConnection);
  rememberBy(reader, changes);
  return {
    file,
    reader,
    write: (command) => writer.write(command),
    get stats() {
      return { ...writer.stats, ...freeSpace.stats };
    },
    newestDeliveryId: () => newestDeliveryId(connection),
    truncateWal: () => freeSpace.truncateWal(),
    wipeFreeSpace: () => freeSpace.wipe(),
    async close() {
      await writer.drain();
      await freeSpace.stop(lock !== null);
      readerConnection.close();
      connection.close();
      await freeSpace.close();
      lock?.release();
    },
  };
}
