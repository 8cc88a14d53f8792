// Opens SQLite and gives Kysely the narrow database it needs, with statements prepared once per SQL text.
import Sqlite from "better-sqlite3";
import { DummyDriver, Kysely, SqliteDialect, type DatabaseConnection } from "kysely";
import { othersFirst } from "../../core/clock.ts";
import { bind, bindingOf, type TableStamps, type UnwrittenStamps } from "../binding.ts";
import type { Tables } from "../tables.ts";
import { DirectConnection, directDialect, isBusy, type PreparedStatement } from "./direct-dialect.ts";
import { unlock, type FileKey } from "./cipher.ts";
import { BUSY_TIMEOUT_MS } from "./open-reader.ts";

export type Connection = Sqlite.Database;

/** "RWRD" in the file header: distinguishes a Ringward database from any other SQLite file. */
export const APPLICATION_ID = 0x52575244;

/** For a serving thread, which must not block: a locked file fails immediately; see writer.ts. */
export function waitNowhere(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  neverWaiting.add(connection);
}

const neverWaiting = new WeakSet<Connection>();

export function openWriter(file: string, key: FileKey = null): Connection {
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  unlock(connection, key);
  // Readers do not block the writer, and the writer appends instead of rewriting pages.
  connection.pragma("journal_mode = WAL");
  // A 2xx response is on disk. NORMAL would lose the last commits on power loss.
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  // Erased data must be gone: deleted bytes are overwritten with zeros.
  connection.pragma("secure_delete = ON");
  // Sorts and temporary tables may contain personal data, so they never use a file.
  connection.pragma("temp_store = MEMORY");
  // 32 MiB of pages: the hot indexes of a million calls.
  connection.pragma("cache_size = -32768");
  return connection;
}

/** Takes the write lock. Returns false while another process writes, or a command of our own is running. */
export function beginAtOnce(connection: Connection): boolean {
  if (connection.inTransaction) return false;
  try {
    withoutWaiting(connection, () => connection.exec("BEGIN IMMEDIATE"));
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Returns false if a reader blocks it; waiting for one (a backup) would block every request meanwhile. */
export function checkpointAtOnce(connection: Connection, mode: "RESTART" | "TRUNCATE"): boolean {
  return withoutWaiting(connection, () => {
    const [result] = connection.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
    return result?.busy === 0;
  });
}

function withoutWaiting<T>(connection: Connection, run: () => T): T {
  // A server's connection: reading and setting the pragma three times would take as long as reading a hundred WAL
  // frames.
  if (neverWaiting.has(connection)) return run();
  const timeoutMs = Number(connection.pragma("busy_timeout", { simple: true }));
  connection.pragma("busy_timeout = 0");
  try {
    return run();
  } finally {
    connection.pragma(`busy_timeout = ${timeoutMs}`);
  }
}

/** Building and preparing a query took about 100 µs here, running a prepared statement about 7 µs. */
const MOST_CACHED_STATEMENTS = 1_000;

interface Listeners {
  /** Called with every statement that writes. */
  wrote?: (sql: string, parameters: readonly unknown[]) => void;
  /** Called with every error of a statement. */
  failed?: ((error: unknown) => void) | undefined;
  /** Reports changes by other connections. */
  changes?: TableStamps;
}

export function kyselyOn(
  connection: Connection,
  { wrote = () => {}, failed, changes }: Listeners = {},
): Kysely<Tables> {
  const statements = new Map<string, PreparedStatement>();
  const prepare = (sql: string) => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = connection.prepare(sql);
    // Read once: each property access on the addon takes a noticeable part of the statement's time.
    const known = { statement, answersRows: statement.reader, changesNothing: statement.readonly };
    if (statements.size >= MOST_CACHED_STATEMENTS) forgetOldest(statements);
    statements.set(sql, known);
    return known;
  };
  const direct = new DirectConnection(prepare, wrote, failed);
  const kysely = new Kysely<Tables>({ dialect: directDialect(direct, () => connection.close()) });
  const run = <Row>(sql: string, parameters: readonly unknown[]) => direct.run<Row>(sql, parameters);
  bind(kysely, { engine: "sqlite", run, changes, settled: othersFirst });
  return kysely;
}

function forgetOldest(statements: Map<string, unknown>): void {
  for (const sql of statements.keys()) {
    statements.delete(sql);
    return;
  }
}

/** Changes with every commit of another connection, and never with commits of this one. */
export function fileVersionOf(connection: Connection): () => number {
  const statement = connection.prepare("PRAGMA data_version").pluck();
  return () => statement.get() as number;
}

/** A command is already a transaction: one begun inside it would commit separately. */
class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<DatabaseConnection> {
    throw new Error("A command cannot begin a nested transaction.");
  }
}

const DIALECT = new SqliteDialect({ database: () => Promise.reject(new Error("Not to be opened.")) });
const DRIVER = new NoDriver();

/**
 * The same database for one command, while `isUsable`. Takes about 1 µs; a new Kysely took 27 µs here.
 */
export function guarded(
  kysely: Kysely<Tables>,
  isUsable: () => boolean,
  unwritten: UnwrittenStamps | undefined,
): Kysely<Tables> {
  const assertUsable = () => {
    if (!isUsable()) throw new Error("A transaction was used after its command had ended.");
  };
  const executor = kysely.getExecutor();
  const { run } = bindingOf(kysely);
  const narrow = new Kysely<Tables>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: DRIVER,
    executor: executor.withConnectionProvider({
      provideConnection: (consumer, options) =>
        executor.provideConnection((connection) => {
          assertUsable();
          return consumer(connection);
        }, options),
    }),
  });
  bind(narrow, {
    engine: "sqlite",
    run:
      run &&
      ((sql, parameters) => {
        assertUsable();
        return run(sql, parameters);
      }),
    changes: undefined,
    unwritten,
    settled: othersFirst,
  });
  return narrow;
}
