// The database of the appliance, whichever kind it is.
import type { Database, Look, OpenOptions, Place } from "./port.ts";
import { sqlite } from "./sqlite/engine.ts";

export type { Command, Database, Look, Place } from "./port.ts";
export type { Executor, Tx } from "./tables.ts";

export function openDatabase(at: Place, options: OpenOptions): Promise<Database> {
  return sqlite.open(at, options);
}

/** Null where there is none yet. */
export function lookAtDatabase(at: Place): Promise<Look | null> {
  return sqlite.look(at);
}

/** Whether a server runs on it. Makes the data folder where it is missing. */
export function isServed(at: Place): Promise<boolean> {
  return sqlite.isServed(at);
}
