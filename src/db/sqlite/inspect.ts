// Inspects a database file without changing it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { latestVersion } from "../migrations.ts";
import type { Inspection, Look, Place } from "../port.ts";
import { kyselyOn, type Connection } from "./connection.ts";
import { openReader } from "./open-reader.ts";
import { DATABASE_FILE } from "./file.ts";
import { presentFileKey } from "./settled-key.ts";
import { isForeign, schemaVersion } from "./migrate.ts";

/** Null if there is no file. */
export async function lookAtFile(at: Place): Promise<Look | null> {
  const file = join(at.dataDir, DATABASE_FILE);
  if (!existsSync(file)) return null;
  const connection = openReader(file, presentFileKey(at, file));
  try {
    return {
      reader: kyselyOn(connection),
      schema: isForeign(connection) ? 0 : schemaVersion(connection),
      inspect: async () => inspect(connection),
      close: async () => void connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function inspect(connection: Connection): Inspection {
  if (isForeign(connection)) {
    return {
      problem: "The database belongs to another program.",
      schema: 0,
      latest: latestVersion(),
      lastSeenAt: null,
    };
  }
  const findings = String(connection.pragma("quick_check(5)", { simple: true }));
  const schema = schemaVersion(connection);
  // Values from a damaged file are not reliable.
  const lastSeenAt = findings === "ok" && schema > 0 ? latestTime(connection) : null;
  return { problem: findings === "ok" ? null : findings, schema, latest: latestVersion(), lastSeenAt };
}

function latestTime(connection: Connection): number | null {
  const sql = "SELECT max(at) FROM (SELECT max(at) AS at FROM heartbeats UNION SELECT max(at) FROM audit_entries)";
  return connection.prepare(sql).pluck().get() as number | null;
}
