// The appliance's database, SQLite or PostgreSQL.
import type { Database, Engine, Look, OpenOptions, Place } from "./port.ts";
import { postgres } from "./postgres/engine.ts";
import { sqlite } from "./sqlite/engine.ts";

export type { Command, Database, Look, Place } from "./port.ts";
export type { Executor, Tx } from "./tables.ts";

const engineOf = ({ database }: Place): Engine => (database === undefined || database.url === "" ? sqlite : postgres);

export function openDatabase(at: Place, options: OpenOptions): Promise<Database> {
  return engineOf(at).open(at, options);
}

/** Null if there is none yet. */
export function lookAtDatabase(at: Place): Promise<Look | null> {
  return engineOf(at).look(at);
}

/** Whether a server is using it. Creates the data folder if it is missing. */
export function isServed(at: Place): Promise<boolean> {
  return engineOf(at).isServed(at);
}
