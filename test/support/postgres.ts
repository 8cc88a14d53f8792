// A private PostgreSQL, and databases in it: the one of the whole run, where scripts/test started one, and otherwise
// one that starts and ends with this process.
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../src/core/logger.ts";
import type { Database, DatabaseSettings, OpenOptions } from "../../src/db/port.ts";
import { addressOf } from "../../src/db/postgres/address.ts";
import { openPostgres } from "../../src/db/postgres/open.ts";
import { openWire, type Wire } from "../../src/db/postgres/wire.ts";
import { postgresAt, startPostgres, type RunningPostgres } from "../../scripts/postgres-cluster.ts";

/** The socket's folder of the run's own one. */
const GIVEN = process.env["RINGWARD_TEST_CLUSTER"];

let started: Promise<RunningPostgres> | undefined;

export function testCluster(): Promise<RunningPostgres> {
  started ??= GIVEN ? Promise.resolve(postgresAt(GIVEN)) : startPostgres();
  return started;
}

export function settingsFor(url: string): DatabaseSettings {
  return { url, password_file: "", ca_file: "", tls: "auto", connections: 16 };
}

const TEMPLATE = "migrated";
let template: Promise<void> | undefined;

/** The migrations run once for each cluster; every database is a copy. */
export async function createTemplate(cluster: RunningPostgres): Promise<void> {
  cluster.createDatabase(TEMPLATE);
  const db = await openAt(cluster.url(TEMPLATE));
  await db.close();
}

export const databaseOf = (url: string): string => /\/(\w+)\?/.exec(url)?.[1] ?? "";

/** A database that tests take turns with, and a connection that stays with it. */
interface Lent {
  url: string;
  wire: Wire;
  /**
   * Deletes every row. TRUNCATE takes fifty times as long: it makes new files for every table that refers to one with
   * rows.
   */
  clear: string;
}

/** Closed, with whatever their tests left in them. */
const free: Lent[] = [];

/**
 * A database for one test: a new one is a copy of the template, and one that was used before is emptied, which is
 * faster.
 */
export async function borrowPostgres(): Promise<{ url: string; giveBack: () => void }> {
  const used = free.pop();
  const lent = used ?? (await lentFirst());
  if (used) await used.wire.query(used.clear);
  return { url: lent.url, giveBack: () => void free.push(lent) };
}

const KEPT = ["ringward_schema", "changes_pruned"];

async function lentFirst(): Promise<Lent> {
  const url = await newPostgresUrl();
  const wire = await openWire(addressOf(settingsFor(url)), { name: "test" });
  const namesOf = async (sql: string) => ((await wire.query(sql)).rows as { name: string }[]).map(({ name }) => name);
  const tables = await namesOf("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const sequences = await namesOf("SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'");
  const deletions = tables.filter((table) => !KEPT.includes(table)).map((table) => `DELETE FROM "${table}";`);
  const restarts = sequences.map((sequence) => `PERFORM setval('"${sequence}"', 1, false);`);
  // Neither triggers nor references: everything goes.
  await wire.query("SET session_replication_role = replica");
  return { url, wire, clear: `DO $$ BEGIN ${[...deletions, ...restarts].join(" ")} END $$` };
}

/** The address of a database with the schema of this source. */
export async function newPostgresUrl(): Promise<string> {
  const cluster = await testCluster();
  template ??= GIVEN ? Promise.resolve() : createTemplate(cluster);
  await template;
  // Other processes make theirs in the same cluster.
  const name = `test_${randomBytes(6).toString("hex")}`;
  cluster.createDatabase(name, TEMPLATE);
  return cluster.url(name);
}

export function openAt(url: string, as: OpenOptions["as"] = "server"): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-unit-"));
  return openPostgres({ dataDir, database: settingsFor(url) }, { logger: silentLogger, as });
}
