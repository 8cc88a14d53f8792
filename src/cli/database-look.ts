// A look at the database for commands that find things out: it is read as it is, and closed again.
import type { Config } from "../config/schema.ts";
import { lookAtDatabase, type Executor, type Look } from "../db/database.ts";
import { latestVersion } from "../db/migrations.ts";
import { placeOf } from "./context.ts";

/** Null where there is no database yet. */
export async function lookingAt<T>(config: Config, work: (look: Look) => Promise<T>): Promise<T | null> {
  const look = await lookAtDatabase(placeOf(config));
  if (!look) return null;
  try {
    return await work(look);
  } finally {
    await look.close();
  }
}

/**
 * Null where there is no database, or none that can be read as it is: those are the doctor's findings of the database.
 */
export async function askedOf<T>(config: Config, ask: (reader: Executor) => Promise<T>): Promise<T | null> {
  try {
    return await lookingAt(config, async ({ schema, reader }) => (schema === latestVersion() ? ask(reader) : null));
  } catch {
    return null;
  }
}
