// Databases with pending queries; waiting for the test to settle includes them.
import type { Database } from "../../src/db/database.ts";

const open = new Set<Database>();

/** From here until it is closed, which `closed` is told once. */
export function heardOf(db: Database, closed: () => void): Database {
  const close = db.close.bind(db);
  db.close = async () => {
    const isFirst = open.delete(db);
    await close();
    if (isFirst) closed();
  };
  open.add(db);
  return db;
}

export async function databasesSettled(): Promise<void> {
  for (const db of open) await db.settled();
}
