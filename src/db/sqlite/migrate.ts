// Migrates a SQLite database to this binary's schema: one transaction per migration, and a single step for a new
// database.
import { othersFirst } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { APPLICATION_ID, type Connection } from "./connection.ts";
import {
  latestVersion,
  MigrationError,
  MIGRATIONS,
  SCHEMA,
  type Migration,
  type MigrationNews,
} from "../migrations.ts";

const WHOLE: Migration = { version: latestVersion(), name: "schema", sql: SCHEMA };

export function schemaVersion(connection: Connection): number {
  return connection.pragma("user_version", { simple: true }) as number;
}

/** Returns the applied versions. */
export function migrate(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): number[] {
  const due = dueIn(connection, migrations);
  for (const step of stepsOf(connection, due, migrations)) apply(connection, step);
  return due.map(({ version }) => version);
}

/** The same with progress reports of an upgrade, each before its migration blocks the thread. */
export async function migrateAloud(connection: Connection, news: MigrationNews): Promise<number[]> {
  const due = dueIn(connection, MIGRATIONS);
  const isUpgrade = schemaVersion(connection) > 0;
  for (const [index, step] of stepsOf(connection, due, MIGRATIONS).entries()) {
    if (isUpgrade) {
      news({ version: step.version, name: step.name, left: due.length - index });
      // Lets the log line be written first.
      await othersFirst();
    }
    apply(connection, step);
  }
  return due.map(({ version }) => version);
}

function dueIn(connection: Connection, migrations: readonly Migration[]): readonly Migration[] {
  refuseForeign(connection);
  refuseNewer(connection, migrations);
  const present = schemaVersion(connection);
  return migrations.filter(({ version }) => version > present);
}

/** A new database has no data to migrate, and thirty steps would take a quarter of the start. */
function stepsOf(connection: Connection, due: readonly Migration[], migrations: readonly Migration[]) {
  return schemaVersion(connection) === 0 && migrations === MIGRATIONS ? [WHOLE] : due;
}

export function refuseNewer(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): void {
  const present = schemaVersion(connection);
  const latest = latestVersion(migrations);
  if (present <= latest) return;
  throw new MigrationError(
    `The database has schema ${present}, this binary knows up to ${latest}. ` +
      "It was written by a newer Ringward: run that version, or restore a backup made before the upgrade.",
    { fault: "newer" },
  );
}

function isOurs(connection: Connection): boolean {
  return connection.pragma("application_id", { simple: true }) === APPLICATION_ID;
}

/** A non-empty database without our application id. An empty one may become ours. */
export function isForeign(connection: Connection): boolean {
  if (isOurs(connection)) return false;
  return connection.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() !== 0;
}

function refuseForeign(connection: Connection): void {
  if (isForeign(connection))
    throw new MigrationError("This file is a database of another program. Use another data folder.");
  if (!isOurs(connection)) connection.pragma(`application_id = ${APPLICATION_ID}`);
}

function apply(connection: Connection, { version, name, sql }: Migration): void {
  const present = schemaVersion(connection);
  try {
    connection.exec("BEGIN IMMEDIATE");
    connection.exec(sql);
    connection.pragma(`user_version = ${version}`);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw new MigrationError(
      `Migration ${version} (${name}) failed and was undone; the database still has schema ${present}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
