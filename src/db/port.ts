// What every kind of database gives the rest of the appliance, and what it must bring along; see sqlite/ and postgres/.
import type { Logger } from "../core/logger.ts";
import type { DiskWorker } from "./disk-protocol.ts";
import type { ReadWorker } from "./read-protocol.ts";
import type { Executor, Tx } from "./tables.ts";

export type EngineName = "sqlite" | "postgres";

/**
 * What is done in one transaction. It may run more than once: a try that another writer spoilt, or a neighbour in the
 * same commit that failed, is rolled back and made again. So it changes nothing but the transaction, and hands back
 * what it found. It talks to the database alone: others wait for it.
 */
export type Command<T> = (tx: Tx) => Promise<T>;

export interface WriteOptions {
  /**
   * Commands of one lane run one after the other. For the appliance's own frequent commands that read what the others
   * of the lane write: on PostgreSQL they would only fail each other. SQLite has one lane for all.
   */
  readonly lane?: string;
}

export interface Database {
  readonly engine: EngineName;
  /** For reading outside a write. It sees everything that was committed and is on disk. */
  readonly reader: Executor;
  /**
   * The same for reads whose time grows with the data: searches, lists, counts, exports. They run beside the thread
   * that serves, people take turns, and a read ends when its client leaves; see heavy-reads.ts.
   */
  readonly heavy: Executor;
  write<T>(command: Command<T>, options?: WriteOptions): Promise<T>;
  readonly stats: DatabaseStats;
  /** The id that sorted last among the deliveries of events when this was opened; null where there was none. */
  readonly newestDeliveryId: string | null;
  /** Resolves when nothing that was asked for is under way any more. */
  settled(): Promise<void>;
  readonly maintenance: Maintenance;
  close(): Promise<void>;
}

export interface DatabaseStats {
  readonly commits: number;
  readonly commands: number;
  readonly waiting: number;
  /** Tries that were rolled back and made again. */
  readonly repeats: number;
  /**
   * How often the free space of pages was wiped, and how often the whole file was read for it; see
   * sqlite/free-space/wipe.ts.
   */
  readonly wipes: number;
  readonly looksThroughFile: number;
  /** False while another server might work on the database: nothing is written meanwhile. */
  readonly holdsLock: boolean;
  /** How long writes have been waiting for another program to let go of SQLite's file; 0 where none waits. */
  readonly lockWaitMs: number;
  /** Connections to PostgreSQL. */
  readonly pools: readonly PoolStats[];
}

export interface PoolStats {
  readonly name: "read" | "write" | "heavy";
  readonly most: number;
  readonly inUse: number;
  readonly idle: number;
  /** Commands and questions that wait for one. */
  readonly waiting: number;
}

/** Of a database that keeps no account of itself. */
export const NO_STATS: DatabaseStats = {
  commits: 0,
  commands: 0,
  waiting: 0,
  repeats: 0,
  wipes: 0,
  looksThroughFile: 0,
  holdsLock: true,
  lockWaitMs: 0,
  pools: [],
};

/** What a database needs from time to time, each kind in its own way. */
export interface Maintenance {
  /** For logs and people: the file, or the host and the database. Never a password. */
  readonly where: string;
  /** SQLite's; null where the data is not in a file of ours. */
  readonly file: string | null;
  /** Where copies of what was erased may stay, out of our reach. */
  readonly leftByErasure: readonly string[];
  /** It was too large to be looked through before the start; see cli/damage-watch.ts. */
  readonly isLookedThroughLater: boolean;
  /**
   * An erasure is answered when its wipe is done. False where a wipe goes through whole tables: then it follows the
   * answer.
   */
  readonly isWipeAwaited: boolean;
  /** What is wrong with it although it can be read and written, in words for people; null where all is well. */
  fault(): Promise<string | null>;
  /**
   * After an erasure: takes the copies of deleted rows away. False where something stood in the way; it is to be tried
   * again.
   */
  wipe(tables: readonly string[]): Promise<boolean>;
  /** To be called every few minutes. False where something stood in the way. */
  upkeep(): Promise<boolean>;
}

export interface Inspection {
  /** What is wrong with it, or that it is somebody else's; null where all is well. */
  problem: string | null;
  schema: number;
  latest: number;
  /** The latest time that the database knows of. */
  lastSeenAt: number | null;
}

/** A database as it is: nothing is made, migrated or locked by looking at it. */
export interface Look {
  readonly reader: Executor;
  /** 0 where it is empty, or of another program. */
  readonly schema: number;
  /** Looks through all of it, which takes its time where it is large. */
  inspect(): Promise<Inspection>;
  close(): Promise<void>;
}

/** How PostgreSQL is reached; see `[database]` in config/default.toml. */
export interface DatabaseSettings {
  /** Empty: SQLite, in the data folder. */
  readonly url: string;
  readonly password_file: string;
  readonly ca_file: string;
  readonly tls: "auto" | "off" | "verify";
  readonly connections: number;
}

/** Which database it is: that of the settings, or SQLite in the data folder. */
export interface Place {
  readonly dataDir: string;
  readonly database?: DatabaseSettings;
}

export interface OpenOptions {
  logger: Logger;
  /** "server" holds the folder for itself; "command" works beside a running server. */
  as: "server" | "command";
  /** Starts a thread for heavy reads of SQLite. Without it they run on the thread that asks. */
  startReader?: () => ReadWorker;
  /** Starts the thread that waits for the disk of SQLite. Without it commits wait on the thread that writes. */
  startDisk?: () => DiskWorker;
}

/** A kind of database. */
export interface Engine {
  open(at: Place, options: OpenOptions): Promise<Database>;
  /** Null where there is none yet. */
  look(at: Place): Promise<Look | null>;
  /** Whether a server runs on it. Makes the data folder where it is missing. */
  isServed(at: Place): Promise<boolean>;
}
