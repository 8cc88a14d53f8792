// Every table as Kysely sees it, and where queries run.
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./rows.ts";

export type { Tables } from "./rows.ts";

/** A row as it is read. Only stores and `records.ts` of a room name it; everything else speaks of what it means. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/**
 * Where a query runs: the read-only connection, or the transaction of a write. Stores take it as their first argument.
 */
export type Executor = Kysely<Tables>;

/** An executor inside a write. The brand keeps a reader from being passed where a change is made. */
export type Tx = Executor & { readonly [writable]: true };
declare const writable: unique symbol;
