// What is behind an executor: asked for every query that is prepared, so it is one look into one map.
import type { QueryResult } from "kysely";
import type { EngineName } from "./port.ts";

/** One statement, run at once. */
export type RunStatement = <Row>(sql: string, parameters: readonly unknown[]) => QueryResult<Row>;

export type AskStatement = <Row>(sql: string, parameters: readonly unknown[]) => Promise<QueryResult<Row>>;

/**
 * A change whose outcome is not asked for. `expected`: how many rows it must change; with another number the command
 * fails.
 */
export type LaterStatement = (sql: string, parameters: readonly unknown[], expected?: number) => Promise<void>;

/** Tells by another stamp than before that one of the tables may have changed since. */
export interface TableStamps {
  stampOf(tables: readonly string[]): number;
  /**
   * Calls back after each commit of ours that changed a row of the table. Missing where single rows are not told apart.
   */
  followRows?(table: string, changed: RowChanged): void;
}

/** The id of the row; null where it may be any row of the table. */
export type RowChanged = (id: string | null) => void;

export interface Binding {
  readonly engine: EngineName;
  /**
   * Past Kysely's promises, straight to the statement. For queries that are compiled already, where the database
   * answers at once.
   */
  readonly run: RunStatement | undefined;
  /** The same where it answers later. */
  readonly ask?: AskStatement;
  /**
   * Of a transaction on the other end of a wire: sent with the next statement that has something to answer, or with the
   * commit.
   */
  readonly later?: LaterStatement;
  /** For what is remembered: of a reader beside a writer that tells what changes. A transaction's own has none. */
  readonly changes: TableStamps | undefined;
  /** Resolves when no statement of this executor is under way. */
  settled(): Promise<void>;
}

const bindings = new WeakMap<object, Binding>();

/** Every executor that is handed out has to be bound. */
export function bind(executor: object, binding: Binding): void {
  bindings.set(executor, binding);
}

export function bindingOf(executor: object): Binding {
  const binding = bindings.get(executor);
  if (!binding) throw new Error("Nobody said which database is behind this executor; see binding.ts.");
  return binding;
}
