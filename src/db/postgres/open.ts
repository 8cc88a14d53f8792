// PostgreSQL database: a write pool, read pools, and start and stop.
import { mkdirSync } from "node:fs";
import { SECOND_MS, systemClock } from "../../core/clock.ts";
import { createIds } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { latestVersion, migrationNews } from "../migrations.ts";
import { DatabaseError, explained } from "../open-fault.ts";
import {
  NO_STATS,
  type Database,
  type DatabaseStats,
  type Inspection,
  type Look,
  type OpenOptions,
  type Place,
} from "../port.ts";
import { tryLock, type DataLock } from "../sqlite/lock.ts";
import { addressOf, placeOf, type Address } from "./address.ts";
import { Commands } from "./commands.ts";
import { explainedFault, isWorthWaiting } from "./open-faults.ts";
import { forgetForeignChanges, maintenanceOf } from "./maintenance.ts";
import { migrate, refuseNewer, schemaVersion } from "./migrate.ts";
import { WirePool } from "./pool.ts";
import { heavyReaderOn, readerOn } from "./reader.ts";
import { isServerLockHeld, LOCK_ANSWER_WITHIN_MS, ServerLock, tryServerLock } from "./server-lock.ts";
import { createSoundness, type Soundness } from "./soundness.ts";
import { PostgresChanges } from "./table-changes.ts";
import { UnderWay } from "../under-way.ts";
import { openWire, type Wire, type WireOptions } from "./wire.ts";

/** At boot, the database may come up later than the appliance. */
const WAIT_AT_START_MS = 60 * SECOND_MS;

/** PostgreSQL may take a moment to notice that the previous server has ended. */
const WAIT_FOR_LOCK_MS = 3 * SECOND_MS;
const TRY_LOCK_EVERY_MS = SECOND_MS / 10;

const pause = (ms: number) => new Promise<void>((resolve) => void systemClock.after(ms, resolve));

/** A sequential scan conflicts with every other writer of the table and causes serialization failures. */
const WRITING = ["enable_seqscan=off"];
const READING = ["default_transaction_read_only=on"];
/** Maximum concurrent heavy reads. */
const HEAVY_CONNECTIONS = 4;
/** One for the server lock, and one for maintenance. */
const OTHER_CONNECTIONS = 2;
const USUAL_CONNECTIONS = 16;

/** Size of each of the two pools that are not for heavy reads. */
const poolSizeOf = ({ database }: Place): number =>
  Math.max(2, Math.floor((database?.connections ?? USUAL_CONNECTIONS) / 2));

/** The most connections one server may open. */
export const mostConnections = (at: Place): number => 2 * poolSizeOf(at) + HEAVY_CONNECTIONS + OTHER_CONNECTIONS;

export function addressAt({ database }: Place): Address {
  if (!database) throw new Error("The PostgreSQL settings are missing.");
  return addressOf(database);
}

/** `connect` creates the connections. */
export async function openPostgres(at: Place, options: OpenOptions, connect = openWire): Promise<Database> {
  const address = addressAt(at);
  const lock = options.as === "server" ? lockFolder(at.dataDir) : null;
  try {
    const name = `ringward ${createIds(systemClock).uuid()}`;
    const soundness = createSoundness(options.logger);
    const open: Open = (wire = {}) => connect(address, { name, failed: soundness.failed, ...wire });
    return await openExplained(at, { address, name, open, soundness }, options, lock);
  } catch (error) {
    lock?.release();
    throw explainedFault(error, placeOf(address));
  }
}

/** Recordings and keys are files in the data folder, so a server locks it exclusively. */
function lockFolder(dataDir: string): DataLock {
  const lock = explained(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return tryLock(dataDir);
  });
  if (lock) return lock;
  throw new DatabaseError(
    `Another Ringward is running on ${dataDir}. Stop it first, or name another folder with --data.`,
    { fault: "held" },
  );
}

async function openExplained(
  at: Place,
  way: Way,
  { logger, as }: OpenOptions,
  folder: DataLock | null,
): Promise<Database> {
  const { address, open, soundness } = way;
  const changes = new PostgresChanges(systemClock);
  const first = await firstWire(() => open({ isPatient: true }), as === "server", logger);
  let serverLock: ServerLock | null = null;
  try {
    await assertUsable(first);
    if (as === "server") serverLock = await lockDatabase(way, changes, logger);
    await prepareSchema(first, as, logger);
    if (as === "server") await forgetForeignChanges(first);
    const { rows } = await first.query("SELECT max(id) AS id FROM deliveries");
    const newestDeliveryId = (rows[0] as { id: string | null }).id;
    return assemble({ at, address, open, logger, serverLock, folder, newestDeliveryId, changes, soundness });
  } catch (error) {
    serverLock?.release();
    throw error;
  } finally {
    first.end();
  }
}

interface Way {
  address: Address;
  name: string;
  open: Open;
  soundness: Soundness;
}

type Open = (options?: Omit<WireOptions, "name">) => Promise<Wire>;

async function firstWire(open: () => Promise<Wire>, isPatient: boolean, logger: Logger): Promise<Wire> {
  const startedMs = systemClock.elapsedMs();
  for (let isTold = false; ; isTold = true) {
    try {
      return await open();
    } catch (error) {
      const isLate = systemClock.elapsedMs() - startedMs > WAIT_AT_START_MS;
      if (!isPatient || isLate || !isWorthWaiting(error)) throw error;
      if (!isTold) logger.warn("The database cannot be reached yet; waiting for it.");
      await pause(SECOND_MS);
    }
  }
}

const OLDEST_VERSION = 14;

async function assertUsable(wire: Wire): Promise<void> {
  const { rows } = await wire.query(
    "SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding, " +
      "pg_is_in_recovery() AS standby",
  );
  const { version, encoding, standby } = rows[0] as { version: number; encoding: string; standby: boolean };
  if (version < OLDEST_VERSION)
    throw new DatabaseError(
      `PostgreSQL ${version} is too old. Ringward needs version ${OLDEST_VERSION} or a newer one.`,
    );
  if (encoding !== "UTF8")
    throw new DatabaseError(
      `The database's encoding is ${encoding}. Make one with UTF8: createdb -E UTF8 -T template0 NAME.`,
    );
  if (standby)
    throw new DatabaseError("This PostgreSQL server is a read-only standby. Use the address of the primary.");
}

async function lockDatabase(
  { open, name, address }: Way,
  changes: PostgresChanges,
  logger: Logger,
): Promise<ServerLock> {
  const startedMs = systemClock.elapsedMs();
  do {
    const lock = await ServerLock.take({
      open: (notified) => open({ answerWithinMs: LOCK_ANSWER_WITHIN_MS, notified }),
      changes,
      name,
      clock: systemClock,
      logger,
      taken: () => process.kill(process.pid, "SIGTERM"),
    });
    if (lock) return lock;
    await pause(TRY_LOCK_EVERY_MS);
  } while (systemClock.elapsedMs() - startedMs < WAIT_FOR_LOCK_MS);
  throw new DatabaseError(
    `Another Ringward is running on ${placeOf(address)}. Stop it first, or name another database.`,
    { fault: "held" },
  );
}

async function prepareSchema(wire: Wire, as: OpenOptions["as"], logger: Logger): Promise<void> {
  const present = await schemaVersion(wire);
  if (as === "command" && present === 0)
    throw new DatabaseError('The database is empty yet. Run "ringward setup" or "ringward serve" first.');
  if (present === latestVersion()) return;
  if (present !== null) refuseNewer(present);
  if (as === "command" && !(await tryServerLock(wire)))
    throw new DatabaseError("The running server is older than this binary. Restart it with this binary first.");
  const applied = await migrate(wire, systemClock, { news: migrationNews(logger) });
  if (applied.length > 0) logger.info("The database schema was upgraded.", { version: applied.at(-1) });
}

interface Assembly {
  at: Place;
  address: Address;
  open: Open;
  logger: Logger;
  serverLock: ServerLock | null;
  folder: DataLock | null;
  newestDeliveryId: string | null;
  changes: PostgresChanges;
  soundness: Soundness;
}

function assemble(assembly: Assembly): Database {
  const { at, address, open, logger, serverLock, folder, newestDeliveryId, changes, soundness } = assembly;
  const most = poolSizeOf(at);
  const underWay = new UnderWay();
  // Separate pools: a command that reads outside its transaction could otherwise deadlock with itself.
  const writers = new WirePool({ open: () => open({ settings: WRITING }), most, clock: systemClock });
  const readers = new WirePool({ open: () => open({ settings: READING }), most, clock: systemClock });
  const heavyReaders = new WirePool({
    open: () => open({ settings: READING }),
    most: HEAVY_CONNECTIONS,
    clock: systemClock,
  });
  const commands = new Commands({
    pool: writers,
    clock: systemClock,
    logger,
    assertOurs: () => serverLock?.assertHeld(),
    ...(serverLock && { changes }),
  });
  return {
    engine: "postgres",
    reader: readerOn(readers, underWay, serverLock ? changes : undefined),
    heavy: heavyReaderOn(heavyReaders, HEAVY_CONNECTIONS, underWay, readers),
    write: (command, how) => underWay.during(() => commands.write(command, how)),
    get stats(): DatabaseStats {
      return {
        ...NO_STATS,
        ...commands.stats,
        holdsLock: serverLock?.isHeld ?? true,
        pools: [
          { name: "read", ...readers.stats },
          { name: "write", ...writers.stats },
          { name: "heavy", ...heavyReaders.stats },
        ],
      };
    },
    newestDeliveryId,
    settled: () => underWay.none(),
    maintenance: maintenanceOf(address, () => open({ isPatient: true }), underWay, soundness),
    async close() {
      await underWay.none();
      writers.end();
      readers.end();
      heavyReaders.end();
      serverLock?.release();
      folder?.release();
    },
  };
}

/** Null if it is empty. */
export async function lookAtPostgres(at: Place): Promise<Look | null> {
  const address = addressAt(at);
  const name = `ringward look ${createIds(systemClock).uuid()}`;
  const open = () => openWire(address, { name, settings: READING });
  const wire = await open().catch((error: unknown) => {
    throw explainedFault(error, placeOf(address));
  });
  const schema = await schemaVersion(wire);
  if (schema === 0) {
    wire.end();
    return null;
  }
  const pool = new WirePool({ open, most: 2, clock: systemClock });
  return {
    reader: readerOn(pool, new UnderWay()),
    schema: schema ?? 0,
    inspect: () => inspect(wire, schema),
    async close() {
      pool.end();
      wire.end();
    },
  };
}

async function inspect(wire: Wire, schema: number | null): Promise<Inspection> {
  const latest = latestVersion();
  if (schema === null)
    return { problem: "The database belongs to another program.", schema: 0, latest, lastSeenAt: null };
  const { rows } = await wire.query(
    "SELECT greatest((SELECT max(at) FROM heartbeats), (SELECT max(at) FROM audit_entries)) AS at",
  );
  return { problem: null, schema, latest, lastSeenAt: (rows[0] as { at: number | null }).at };
}

export async function isPostgresServed(at: Place): Promise<boolean> {
  const address = addressAt(at);
  try {
    const wire = await openWire(address, { name: "ringward look" });
    const isHeld = await isServerLockHeld(wire);
    wire.end();
    return isHeld;
  } catch (error) {
    throw explainedFault(error, placeOf(address));
  }
}
