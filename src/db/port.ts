// Interface of every kind of database to the rest of the appliance; see sqlite/ and postgres/ for the implementations.
import type { Logger } from "../core/logger.ts";
import type { DiskWorker } from "./disk-protocol.ts";
import type { ReadWorker } from "./read-protocol.ts";
import type { Executor, Tx } from "./tables.ts";

export type EngineName = "sqlite" | "postgres";

/**
 * The work of one transaction. It may run more than once: after a serialization failure, or when another command in the
 * same commit fails, it is rolled back and retried. It must therefore have no effects outside the transaction, and
 * return its results. It must wait only for the database, because other commands wait for it.
 */
export type Command<T> = (tx: Tx) => Promise<T>;

export interface WriteOptions {
  /**
   * Commands of one lane run one after the other. For the appliance's own frequent commands that read each other's
   * writes: on PostgreSQL they would only cause serialization failures. SQLite has one lane for all.
   */
  readonly lane?: string;
}

export interface Database {
  readonly engine: EngineName;
  /** For reads outside a write. It sees everything that is committed and on disk. */
  readonly reader: Executor;
  /**
   * The same for reads whose duration grows with the data: searches, lists, counts, exports. They run off the serving
   * thread, are scheduled fairly between people, and end when the client disconnects; see heavy-reads.ts.
   */
  readonly heavy: Executor;
  write<T>(command: Command<T>, options?: WriteOptions): Promise<T>;
  readonly stats: DatabaseStats;
  /** The highest id among the event deliveries at open; null if there were none. */
  readonly newestDeliveryId: string | null;
  /** Resolves when no requested work remains. */
  settled(): Promise<void>;
  readonly maintenance: Maintenance;
  close(): Promise<void>;
}

export interface DatabaseStats {
  readonly commits: number;
  readonly commands: number;
  readonly waiting: number;
  /** Attempts that were rolled back and retried. */
  readonly repeats: number;
  /**
   * How often the free space of pages was wiped, and how often the whole file was read for it; see
   * sqlite/free-space/wipe.ts.
   */
  readonly wipes: number;
  readonly looksThroughFile: number;
  /** False while another server might be using the database: nothing is written meanwhile. */
  readonly holdsLock: boolean;
  /** How long writes have been waiting for another program's lock on SQLite's file; 0 if none is waiting. */
  readonly lockWaitMs: number;
  /** Connection pools of PostgreSQL. */
  readonly pools: readonly PoolStats[];
}

export interface PoolStats {
  readonly name: "read" | "write" | "heavy";
  readonly most: number;
  readonly inUse: number;
  readonly idle: number;
  /** Commands and queries that wait for a connection. */
  readonly waiting: number;
}

/** For a database without statistics. */
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

/** Periodic maintenance, specific to each kind of database. */
export interface Maintenance {
  /** For logs and people: the file, or the host and database. Never contains a password. */
  readonly where: string;
  /** SQLite's file; null if the data is not in a local file. */
  readonly file: string | null;
  /** Places outside our control where copies of erased data may remain. */
  readonly leftByErasure: readonly string[];
  /** The file was too large for an integrity check before the start; see cli/damage-watch.ts. */
  readonly isLookedThroughLater: boolean;
  /**
   * Whether an erasure is answered only after its wipe. False if a wipe processes whole tables: then it follows the
   * answer.
   */
  readonly isWipeAwaited: boolean;
  /** A problem that does not prevent reads and writes, in words for people; null if there is none. */
  fault(): Promise<string | null>;
  /** Removes the copies of deleted rows after an erasure. False if something prevented it; retry later. */
  wipe(tables: readonly string[]): Promise<boolean>;
  /** Called every few minutes. False if something prevented it. */
  upkeep(): Promise<boolean>;
}

export interface Inspection {
  /** What is wrong with it, or that it belongs to another program; null if it is sound. */
  problem: string | null;
  schema: number;
  latest: number;
  /** The latest time stored in the database. */
  lastSeenAt: number | null;
}

/** Read-only access to a database: nothing is created, migrated or locked. */
export interface Look {
  readonly reader: Executor;
  /** 0 if it is empty or belongs to another program. */
  readonly schema: number;
  /** Checks all of it, which takes long for a large database. */
  inspect(): Promise<Inspection>;
  close(): Promise<void>;
}

/** Connection settings of PostgreSQL; see `[database]` in config/default.toml. */
export interface DatabaseSettings {
  /** Empty: SQLite, in the data folder. */
  readonly url: string;
  readonly password_file: string;
  readonly ca_file: string;
  readonly tls: "auto" | "off" | "verify";
  readonly connections: number;
}

/** The database to use: the one in the settings, or SQLite in the data folder. */
export interface Place {
  readonly dataDir: string;
  readonly database?: DatabaseSettings;
  /** Without it nothing is encrypted, and the root key is the one in the folder. */
  readonly security?: SecuritySettings;
}

/** Where the root key comes from: at most one of them, or DATA/secret.key. */
export interface KeySource {
  readonly root_key: string;
  readonly key_file: string;
  readonly key_command: readonly string[];
}

/** See `[security]` in config/default.toml. */
export interface SecuritySettings extends KeySource {
  readonly encrypt: "auto" | boolean;
}

export interface OpenOptions {
  logger: Logger;
  /** "server" locks the folder exclusively; "command" works next to a running server. */
  as: "server" | "command";
  /** Starts a thread for heavy reads of SQLite. Without it they run on the calling thread. */
  startReader?: () => ReadWorker;
  /** Starts the disk thread of SQLite. Without it, commits wait for the disk on the writing thread. */
  startDisk?: () => DiskWorker;
}

/** An implementation of a kind of database. */
export interface Engine {
  open(at: Place, options: OpenOptions): Promise<Database>;
  /** Null if there is none yet. */
  look(at: Place): Promise<Look | null>;
  /** Whether a server is using it. Creates the data folder if it is missing. */
  isServed(at: Place): Promise<boolean>;
}
