// Looks at a database file without changing it.
import { openReader, type Connection } from "./connection.ts";
import { isForeign, latestVersion, schemaVersion } from "./migrate.ts";

export interface Inspection {
  /** What quick_check found, or that the file is somebody else's; null where all is well. */
  problem: string | null;
  schema: number;
  latest: number;
  /** The latest time that the database knows of. */
  lastSeenAt: number | null;
}

export function inspectDatabase(file: string): Inspection {
  const connection = openReader(file);
  try {
    if (isForeign(connection)) {
      return { problem: "It is a database of another program.", schema: 0, latest: latestVersion(), lastSeenAt: null };
    }
    const findings = String(connection.pragma("quick_check(5)", { simple: true }));
    const schema = schemaVersion(connection);
    // What a damaged file says of itself is worth nothing.
    const lastSeenAt = findings === "ok" && schema > 0 ? latestTime(connection) : null;
    return { problem: findings === "ok" ? null : findings, schema, latest: latestVersion(), lastSeenAt };
  } finally {
    connection.close();
  }
}

function latestTime(connection: Connection): number | null {
  const sql = "SELECT max(at) FROM (SELECT max(at) AS at FROM heartbeats UNION SELECT max(at) FROM audit_entries)";
  return connection.prepare(sql).pluck().get() as number | null;
}
