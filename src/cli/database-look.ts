// Read-only access to the database for diagnostic commands. The database is closed again afterwards.
import type { Config } from "../config/schema.ts";
import { lookAtDatabase, type Executor, type Look } from "../db/database.ts";
import { latestVersion } from "../db/migrations.ts";
import { placeOf } from "./context.ts";

/** Null if there is no database yet. */
export async function lookingAt<T>(config: Config, work: (look: Look) => Promise<T>): Promise<T | null> {
  const look = await lookAtDatabase(placeOf(config));
  if (!look) return null;
  try {
    return await work(look);
  } finally {
    await look.close();
  }
}

/** Null if there is no database, or an unreadable one: the doctor's database check reports those. */
export async function askedOf<T>(config: Config, ask: (reader: Executor) => Promise<T>): Promise<T | null> {
  try {
    return await lookingAt(config, async ({ schema, reader }) => (schema === latestVersion() ? ask(reader) : null));
  } catch {
    return null;
  }
}
