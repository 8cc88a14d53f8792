// The database behind an executor. It is looked up for every prepared query, so it is a single map lookup.
import type { QueryResult } from "kysely";
import type { EngineName } from "./port.ts";

/** Runs one statement synchronously. */
export type RunStatement = <Row>(sql: string, parameters: readonly unknown[]) => QueryResult<Row>;

export type AskStatement = <Row>(sql: string, parameters: readonly unknown[]) => Promise<QueryResult<Row>>;

/**
 * A change whose result is not needed. `expected`: how many rows it must change; the command fails with any other
 * number.
 */
export type LaterStatement = (sql: string, parameters: readonly unknown[], expected?: number) => Promise<void>;

/** Change detection: a different stamp means that one of the tables may have changed since. */
export interface TableStamps {
  stampOf(tables: readonly string[]): number;
  /** Calls back after each of our commits that changed a row of the table. Missing if row changes are not tracked. */
  followRows?(table: string, changed: RowChanged): void;
}

/** Undefined if one of the tables was written. */
export type UnwrittenStamps = (tables: readonly string[]) => TableStamps | undefined;

/** The id of the row; null if it may be any row of the table. */
export type RowChanged = (id: string | null) => void;

export interface Binding {
  readonly engine: EngineName;
  /** Bypasses Kysely and runs the statement directly. For compiled queries on a synchronous database. */
  readonly run: RunStatement | undefined;
  /** The same for an asynchronous database. */
  readonly ask?: AskStatement;
  /** In a transaction over a connection: sent with the next statement that returns a result, or with the commit. */
  readonly later?: LaterStatement;
  /** For cached queries: present on a reader next to a writer that reports changes. Transactions have none. */
  readonly changes: TableStamps | undefined;
  /** In a transaction that sees every commit: the same for tables that it has not written. */
  readonly unwritten?: UnwrittenStamps | undefined;
  /** Resolves when no statement of this executor is running. */
  settled(): Promise<void>;
}

const bindings = new WeakMap<object, Binding>();

/** Every executor that is handed out must be bound. */
export function bind(executor: object, binding: Binding): void {
  bindings.set(executor, binding);
}

export function bindingOf(executor: object): Binding {
  const binding = bindings.get(executor);
  if (!binding) throw new Error("This executor is not bound to a database; see binding.ts.");
  return binding;
}
