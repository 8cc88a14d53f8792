// Brings a database to the schema of this binary: a transaction per migration, and a new one in one step.
import { messageOf } from "../../core/errors.ts";
import { APPLICATION_ID, type Connection } from "./connection.ts";
import { latestVersion, MigrationError, MIGRATIONS, SCHEMA, type Migration } from "../migrations.ts";

const WHOLE: Migration = { version: latestVersion(), name: "schema", sql: SCHEMA };

export function schemaVersion(connection: Connection): number {
  return connection.pragma("user_version", { simple: true }) as number;
}

/** Answers the versions that were applied. */
export function migrate(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): number[] {
  refuseForeign(connection);
  refuseNewer(connection, migrations);
  const present = schemaVersion(connection);
  const due = migrations.filter(({ version }) => version > present);
  // There is nothing to be kept from before, and thirty steps would take a quarter of the start.
  const isWhole = present === 0 && migrations === MIGRATIONS;
  for (const step of isWhole ? [WHOLE] : due) apply(connection, step);
  return due.map(({ version }) => version);
}

export function refuseNewer(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): void {
  const present = schemaVersion(connection);
  const latest = latestVersion(migrations);
  if (present <= latest) return;
  throw new MigrationError(
    `The database has schema ${present}, this binary knows up to ${latest}. ` +
      "It was written by a newer Ringward: run that version, or restore a backup made before the upgrade.",
  );
}

function isOurs(connection: Connection): boolean {
  return connection.pragma("application_id", { simple: true }) === APPLICATION_ID;
}

/** A database that holds something and does not bear our mark. An empty one may become ours. */
export function isForeign(connection: Connection): boolean {
  if (isOurs(connection)) return false;
  return connection.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() !== 0;
}

function refuseForeign(connection: Connection): void {
  if (isForeign(connection))
    throw new MigrationError("This file is a database of another program. Name another data folder.");
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
