// Databases whose answers take their time, so that whoever waits for everything to settle waits for them as well.
import type { Database } from "../../src/db/database.ts";

const open = new Set<Database>();

/** From here until it is closed. */
export function heardOf(db: Database): Database {
  const close = db.close.bind(db);
  db.close = async () => {
    open.delete(db);
    await close();
  };
  open.add(db);
  return db;
}

export async function databasesSettled(): Promise<void> {
  for (const db of open) await db.settled();
}
