// What an appliance has stored, read beside it: from its file, or from its database in the PostgreSQL of the tests.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { postgresAt } from "../../scripts/postgres-cluster.ts";

/** Where the data of a folder's appliance is, for those that are not in the folder itself. */
const inPostgres = new Map<string, { folder: string; database: string }>();

const URL_PARTS = /\/(?<database>\w+)\?host=(?<folder>.+)$/;

/** The data of this folder's appliance is there. */
export function storedAt(dataDir: string, url: string): void {
  const { database = "", folder = "" } = URL_PARTS.exec(url)?.groups ?? {};
  inPostgres.set(dataDir, { folder: decodeURIComponent(folder), database });
}

/** Rows as objects. The SQL is the same on both. */
export function storedRows<T>(dataDir: string, sql: string): T[] {
  const stored = inPostgres.get(dataDir);
  if (stored) {
    const asJson = `SELECT coalesce(json_agg(row_to_json(found)), '[]') FROM (${sql}) found`;
    return JSON.parse(postgresAt(stored.folder).psql(asJson, stored.database)) as T[];
  }
  const db = new Database(join(dataDir, "ringward.db"), { readonly: true });
  try {
    return db.query<T, []>(sql).all();
  } finally {
    db.close();
  }
}

/** `from` is a table, with what else SQL says after FROM. */
export function storedCount(dataDir: string, from: string): number {
  return storedRows<{ count: number }>(dataDir, `SELECT count(*) AS count FROM ${from}`)[0]?.count ?? 0;
}

/** Runs an UPDATE that needs no parameters. Returns how many rows it changed. */
export function changeStored(dataDir: string, update: string): number {
  const stored = inPostgres.get(dataDir);
  if (stored) {
    const counting = `WITH changed AS (${update} RETURNING 1) SELECT count(*) FROM changed`;
    return Number(postgresAt(stored.folder).psql(counting, stored.database));
  }
  const db = new Database(join(dataDir, "ringward.db"));
  try {
    return db.run(update).changes;
  } finally {
    db.close();
  }
}

/** Every row as text, where they are not in files. */
export function storedElsewhere(dataDir: string): string | null {
  const stored = inPostgres.get(dataDir);
  // A backslash is written twice there.
  return stored ? postgresAt(stored.folder).dump(stored.database).replaceAll("\\\\", "\\") : null;
}
