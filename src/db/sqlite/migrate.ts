// Brings a database to the schema of this binary, a transaction per migration; a new one in a single transaction.
import { messageOf } from "../../core/errors.ts";
import { APPLICATION_ID, type Connection } from "./connection.ts";
import { latestVersion, MigrationError, MIGRATIONS, type Migration } from "../migrations.ts";

export function schemaVersion(connection: Connection): number {
  return connection.pragma("user_version", { simple: true }) as number;
}

/** Answers the versions that were applied. */
export function migrate(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): number[] {
  refuseForeign(connection);
  refuseNewer(connection, migrations);
  const present = schemaVersion(connection);
  const due = migrations.filter(({ version }) => version > present);
  // There is nothing to be kept from before, and thirty commits would take as long as the rest of the start.
  const steps = present === 0 ? [due] : due.map((migration) => [migration]);
  for (const step of steps) apply(connection, step);
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

/** All of them or none. */
function apply(connection: Connection, migrations: readonly Migration[]): void {
  const present = schemaVersion(connection);
  let at: Migration | undefined;
  try {
    connection.exec("BEGIN IMMEDIATE");
    for (at of migrations) {
      connection.exec(at.sql);
      connection.pragma(`user_version = ${at.version}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw new MigrationError(
      `Migration ${at?.version} (${at?.name}) failed and was undone; the database still has schema ${present}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
