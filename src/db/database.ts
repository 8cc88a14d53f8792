// The appliance's database, SQLite or PostgreSQL.
import { mkdirSync } from "node:fs";
import { isEncryptionWanted, refuseOther, settledRing, wrappedKeysIn } from "./folder-keys.ts";
import type { Database, Engine, Look, OpenOptions, Place } from "./port.ts";
import { postgres } from "./postgres/engine.ts";
import { sqlite } from "./sqlite/engine.ts";

export type { Command, Database, Look, Place } from "./port.ts";
export type { Executor, Tx } from "./tables.ts";

const engineOf = ({ database }: Place): Engine => (database === undefined || database.url === "" ? sqlite : postgres);

export async function openDatabase(at: Place, options: OpenOptions): Promise<Database> {
  const engine = engineOf(at);
  if (engine === postgres) await settleFolder(at, options);
  return engine.open(at, options);
}

/** On PostgreSQL the files of the data folder are encrypted; the database is its owner's. */
async function settleFolder(at: Place, { as }: OpenOptions): Promise<void> {
  if (at.security === undefined) return;
  const mayBeNew = as === "server" && wrappedKeysIn(at.dataDir) === null && isEncryptionWanted(at);
  const isNew = mayBeNew && (await isEmpty(at));
  if (isNew) mkdirSync(at.dataDir, { recursive: true, mode: 0o700 });
  const ring = settledRing(at, isNew);
  refuseOther(at, ring, ring !== null && ring.current !== null);
}

async function isEmpty(at: Place): Promise<boolean> {
  const look = await postgres.look(at);
  await look?.close();
  return look === null || look.schema === 0;
}

/** Null if there is none yet. */
export function lookAtDatabase(at: Place): Promise<Look | null> {
  return engineOf(at).look(at);
}

/** Whether a server is using it. Creates the data folder if it is missing. */
export function isServed(at: Place): Promise<boolean> {
  return engineOf(at).isServed(at);
}
