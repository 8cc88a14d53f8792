// Size of the database, and the time our writes have waited for another program's lock.
import { stat } from "node:fs/promises";
import { sql } from "kysely";
import type { Database } from "./port.ts";

export interface DatabaseFigures {
  bytes: { part: "database" | "wal"; bytes: number }[];
  lockWaitSeconds: number;
}

export async function databaseFigures(db: Database): Promise<DatabaseFigures> {
  const { file } = db.maintenance;
  if (file === null) return postgresFigures(db);
  const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;
  return {
    bytes: [
      { part: "database", bytes: await sizeOf(file) },
      { part: "wal", bytes: await sizeOf(`${file}-wal`) },
    ],
    lockWaitSeconds: db.stats.lockWaitMs / 1_000,
  };
}

/** The WAL of PostgreSQL is shared by all its databases, so it is not reported. */
async function postgresFigures({ reader }: Database): Promise<DatabaseFigures> {
  const { rows } = await sql<{ bytes: number | string; waited: number | null }>`
    SELECT pg_database_size(current_database()) AS bytes,
      (SELECT max(extract(epoch FROM clock_timestamp() - query_start))::double precision FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock') AS waited
  `.execute(reader);
  const [row] = rows;
  return {
    bytes: [{ part: "database", bytes: Number(row?.bytes ?? 0) }],
    lockWaitSeconds: Math.max(0, row?.waited ?? 0),
  };
}
