// A private PostgreSQL for the tests of this process, and databases in it. It ends with the process.
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../src/core/logger.ts";
import type { Database, DatabaseSettings, OpenOptions } from "../../src/db/port.ts";
import { openPostgres } from "../../src/db/postgres/open.ts";
import { startPostgres, type PostgresCluster } from "../../scripts/postgres-cluster.ts";

let started: Promise<PostgresCluster> | undefined;

export function testCluster(): Promise<PostgresCluster> {
  started ??= startPostgres();
  return started;
}

export function settingsFor(url: string): DatabaseSettings {
  return { url, password_file: "", ca_file: "", tls: "auto", connections: 16 };
}

let databases = 0;
let template: Promise<string> | undefined;

/** The migrations run once for each process; every test gets a copy. */
async function migratedTemplate(cluster: PostgresCluster): Promise<string> {
  cluster.createDatabase("migrated");
  const db = await openAt(cluster.url("migrated"));
  await db.close();
  return "migrated";
}

export const databaseOf = (url: string): string => /\/(\w+)\?/.exec(url)?.[1] ?? "";

/** By the data folder that each was opened for. */
const urls = new Map<string, { url: string; name: string }>();

/** Empties what has rows; the rest is as it was made. */
const CLEAR = `DO $$ DECLARE each text; filled text := ''; has_rows boolean; BEGIN
  FOR each IN SELECT quote_ident(tablename) FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('ringward_schema', 'changes_pruned') LOOP
    EXECUTE 'SELECT EXISTS (SELECT 1 FROM ' || each || ')' INTO has_rows;
    IF has_rows THEN filled := filled || ', ' || each; END IF;
  END LOOP;
  IF filled <> '' THEN EXECUTE 'TRUNCATE ' || substr(filled, 3) || ' RESTART IDENTITY CASCADE'; END IF;
END $$`;

/** The same one for the same folder. A folder that is gone has no use for its database any more: it is emptied, and used again. */
export async function postgresUrlFor(dataDir: string): Promise<string> {
  const own = urls.get(dataDir);
  if (own) return own.url;
  const left = [...urls].find(([folder]) => !existsSync(folder));
  if (!left) {
    const url = await newPostgresUrl();
    urls.set(dataDir, { url, name: databaseOf(url) });
    return url;
  }
  const [folder, database] = left;
  urls.delete(folder);
  urls.set(dataDir, database);
  (await testCluster()).psql(CLEAR, database.name);
  return database.url;
}

/** The address of a database with the schema of this source. */
export async function newPostgresUrl(): Promise<string> {
  const cluster = await testCluster();
  template ??= migratedTemplate(cluster);
  const from = await template;
  databases += 1;
  const name = `test_${databases}`;
  cluster.createDatabase(name, from);
  return cluster.url(name);
}

export function openAt(url: string, as: OpenOptions["as"] = "server"): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-unit-"));
  return openPostgres({ dataDir, database: settingsFor(url) }, { logger: silentLogger, as });
}
