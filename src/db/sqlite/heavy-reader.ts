// Heavy reads of SQLite: Kysely on this thread, the statements on dedicated threads.
import { Kysely, type QueryResult } from "kysely";
import { bind } from "../binding.ts";
import { HeavyReads } from "../heavy-reads.ts";
import type { Executor, Tables } from "../tables.ts";
import { directDialect } from "./direct-dialect.ts";
import { ReaderThreads, type ReaderThreadsOptions } from "./reader-threads.ts";

/** Two, so one slow search does not block all others. More threads would take CPU from calls. */
export const READER_THREADS = 2;

/** Runs while no heavy read does, which emptying the WAL requires. */
export type WhileIdle = <T>(run: () => T | Promise<T>) => Promise<T>;

export interface HeavyReader {
  readonly executor: Executor;
  settled(): Promise<void>;
  readonly whileIdle: WhileIdle;
  close(): Promise<void>;
}

export interface HeavyReaderOptions extends ReaderThreadsOptions {
  /** Resolves when everything committed so far is on disk: the threads see commits earlier than that. */
  durable(): Promise<void>;
}

export function heavyReader(options: HeavyReaderOptions): HeavyReader {
  const threads = new ReaderThreads(options);
  const reads = new HeavyReads<QueryResult<unknown>>({
    lanes: READER_THREADS,
    run: (statement) => threads.run(statement),
  });
  const ask = async <Row>(sql: string, parameters: readonly unknown[]) => {
    const answer = (await reads.ask(sql, parameters)) as QueryResult<Row>;
    await options.durable();
    return answer;
  };
  const connection = {
    executeQuery: <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
      ask<Row>(sql, parameters),
    streamQuery(): AsyncIterableIterator<never> {
      throw new Error("Streaming is not supported; read long lists in pages.");
    },
  };
  const executor = new Kysely<Tables>({ dialect: directDialect(connection, () => {}) });
  const settled = () => reads.settled();
  bind(executor, { engine: "sqlite", run: undefined, ask, changes: undefined, settled });
  return {
    executor,
    settled,
    whileIdle: (run) => reads.whileIdle(run),
    close: () => reads.whileIdle(() => threads.close()),
  };
}
