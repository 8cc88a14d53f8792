// A private PostgreSQL for the tests of this process, and databases in it. It ends with the process.
import { mkdtempSync } from "node:fs";
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

/** The address of a database with the schema of this source. */
export async function newPostgresUrl(): Promise<string> {
  const cluster = await testCluster();
  template ??= migratedTemplate(cluster);
  databases += 1;
  const name = `test_${databases}`;
  cluster.createDatabase(name, await template);
  return cluster.url(name);
}

export function openAt(url: string, as: OpenOptions["as"] = "server"): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-unit-"));
  return openPostgres({ dataDir, database: settingsFor(url) }, { logger: silentLogger, as });
}
