// Kysely's table types, and the executors of queries.
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./rows.ts";

export type { Tables } from "./rows.ts";

/** A row as stored. Only a module's stores and `records.ts` use it; other code uses the converted type. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/**
 * Runs queries: the read-only connection, or the transaction of a write. It is the first argument of every store
 * function.
 */
export type Executor = Kysely<Tables>;

/** An executor inside a write. The brand prevents passing a reader where a change is made. */
export type Tx = Executor & { readonly [writable]: true };
declare const writable: unique symbol;
