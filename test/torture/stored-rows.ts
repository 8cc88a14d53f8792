// The appliance's stored rows on either engine; can be read while it runs.
import { Database } from "bun:sqlite";
import type { PostgresCluster } from "../../scripts/postgres-cluster.ts";

export interface StoredRows {
  all<T>(sql: string): T[];
  /** What is broken by itself, in words. */
  faults(): string[];
}

export function rowsInFile(file: string): StoredRows {
  function read<T>(question: (db: Database) => T): T {
    const db = new Database(file, { readonly: true });
    try {
      return question(db);
    } finally {
      db.close();
    }
  }
  return {
    all: <T>(sql: string) => read((db) => db.query<T, []>(sql).all()),
    faults: () => read(faultsOf),
  };
}

function faultsOf(db: Database): string[] {
  const sound = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  const strays = db.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
  return [
    ...sound.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok"),
    ...strays.map(({ table, parent }) => `a row of ${table} points to nothing in ${parent}`),
  ];
}

export function rowsInPostgres(cluster: PostgresCluster, database: string): StoredRows {
  return {
    all: <T>(sql: string) =>
      JSON.parse(cluster.psql(`SELECT coalesce(json_agg(each), '[]') FROM (${sql}) each`, database)) as T[],
    // Every index is walked, and held against its table.
    faults() {
      try {
        cluster.psql(
          `CREATE EXTENSION IF NOT EXISTS amcheck;
           SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
           JOIN pg_am ON pg_am.oid = pg_class.relam AND pg_am.amname = 'btree'
           WHERE relnamespace = 'public'::regnamespace`,
          database,
        );
        return [];
      } catch (error) {
        return [String(error)];
      }
    },
  };
}
