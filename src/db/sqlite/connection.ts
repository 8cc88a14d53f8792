// Opens SQLite and gives Kysely the narrow database it needs, with statements prepared once per SQL text.
import Sqlite from "better-sqlite3";
import { DummyDriver, Kysely, SqliteDialect, type DatabaseConnection } from "kysely";
import { othersFirst } from "../../core/clock.ts";
import { bind, bindingOf, type TableStamps } from "../binding.ts";
import type { Tables } from "../tables.ts";
import { DirectConnection, directDialect, isBusy, type PreparedStatement } from "./direct-dialect.ts";
import { BUSY_TIMEOUT_MS } from "./open-reader.ts";

export type Connection = Sqlite.Database;

/** "RWRD" in the file header: tells a Ringward database from any other SQLite file. */
export const APPLICATION_ID = 0x52575244;

/** Where a thread that serves must not stand still, a locked file is told at once; see writer.ts. */
export function waitNowhere(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  neverWaiting.add(connection);
}

const neverWaiting = new WeakSet<Connection>();

export function openWriter(file: string): Connection {
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  // Readers do not block the writer, and the writer appends instead of rewriting pages.
  connection.pragma("journal_mode = WAL");
  // Promise: a 2xx is on disk. NORMAL would lose the last commits at a power cut.
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  // Promise: erased is erased. Deleted bytes are overwritten with zeros.
  connection.pragma("secure_delete = ON");
  // Sorting and temporary tables may hold personal data: never in a file.
  connection.pragma("temp_store = MEMORY");
  // 32 MiB of pages: the hot indexes of a million calls.
  connection.pragma("cache_size = -32768");
  return connection;
}

/** Takes the write lock. Answers false while another process writes, or a command of our own is under way. */
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

/** Answers false where a reader stands in the way; waiting for one (a backup) would hold up every request meanwhile. */
export function checkpointAtOnce(connection: Connection, mode: "RESTART" | "TRUNCATE"): boolean {
  return withoutWaiting(connection, () => {
    const [result] = connection.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
    return result?.busy === 0;
  });
}

function withoutWaiting<T>(connection: Connection, run: () => T): T {
  // A server's own: to ask and to set it three times would take as long as to read a hundred frames of the WAL.
  if (neverWaiting.has(connection)) return run();
  const timeoutMs = Number(connection.pragma("busy_timeout", { simple: true }));
  connection.pragma("busy_timeout = 0");
  try {
    return run();
  } finally {
    connection.pragma(`busy_timeout = ${timeoutMs}`);
  }
}

/** Building and preparing a query anew cost about 100 µs here, a statement prepared before about 7 µs. */
const MOST_CACHED_STATEMENTS = 1_000;

interface Listeners {
  /** Hears of every statement that changes something. */
  wrote?: (sql: string, parameters: readonly unknown[]) => void;
  /** Hears of every statement that fails. */
  failed?: ((error: unknown) => void) | undefined;
  /** Tells what others write. */
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
    // Asked once: each question to the addon takes as long as a small part of the statement itself.
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

/** Changes with every commit of another connection, and with none of this one's. */
export function fileVersionOf(connection: Connection): () => number {
  const statement = connection.prepare("PRAGMA data_version").pluck();
  return () => statement.get() as number;
}

/** A command is a transaction already: one begun inside it would commit on its own. */
class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<DatabaseConnection> {
    throw new Error("A command cannot begin a transaction of its own.");
  }
}

const DIALECT = new SqliteDialect({ database: () => Promise.reject(new Error("Not to be opened.")) });
const DRIVER = new NoDriver();

/**
 * The same database, asked only while `assertUsable` lets it. Costs about 1 µs; a Kysely from scratch cost 27 µs here.
 */
export function guarded(kysely: Kysely<Tables>, assertUsable: () => void): Kysely<Tables> {
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
    // It must see what it wrote itself.
    changes: undefined,
    settled: othersFirst,
  });
  return narrow;
}
