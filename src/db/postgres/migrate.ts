// Migrates a PostgreSQL database to this binary's schema: one transaction per migration, and a single one for a new
// database.
import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { latestVersion, MigrationError, MIGRATIONS, type Migration, type MigrationNews } from "../migrations.ts";
import { MIGRATION_LOCK } from "./locks.ts";
import { translatedMigrations, type TranslatedMigration } from "./translate.ts";
import type { Wire } from "./wire.ts";

/** 0 if it is empty; null if it contains objects of another program. */
export async function schemaVersion(wire: Wire): Promise<number | null> {
  const { rows } = await wire.query(
    "SELECT to_regclass('ringward_schema') IS NOT NULL AS ours, (SELECT count(*) FROM pg_class " +
      "WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') " +
      // Ignores objects of extensions such as pg_stat_statements.
      "AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS things",
  );
  const { ours, things } = rows[0] as { ours: boolean; things: number };
  if (!ours) return things === 0 ? 0 : null;
  const versions = await wire.query("SELECT max(version) AS version FROM ringward_schema");
  return (versions.rows[0] as { version: number | null }).version ?? 0;
}

export function refuseNewer(present: number, migrations: readonly Migration[] = MIGRATIONS): void {
  const latest = latestVersion(migrations);
  if (present <= latest) return;
  throw new MigrationError(
    `The database has schema ${present}, this binary knows up to ${latest}. ` +
      "It was written by a newer Ringward: run that version, or restore a dump made before the upgrade.",
    { fault: "newer" },
  );
}

/** Returns the applied versions. */
export async function migrate(
  wire: Wire,
  clock: Clock,
  { migrations = MIGRATIONS, news = () => {} }: { migrations?: readonly Migration[]; news?: MigrationNews } = {},
): Promise<number[]> {
  await wire.query("SELECT pg_advisory_lock($1, $2)", MIGRATION_LOCK);
  try {
    const present = await schemaVersion(wire);
    if (present === null)
      throw new MigrationError("This PostgreSQL database contains tables of another program. Use an empty database.");
    refuseNewer(present, migrations);
    const due = translatedMigrations(migrations).filter(({ version }) => version > present);
    // A new database has no intermediate state to keep.
    const steps = present === 0 ? [due] : due.map((migration) => [migration]);
    for (const [index, step] of steps.filter(({ length }) => length > 0).entries()) {
      const [first] = step;
      if (present > 0 && first) news({ version: first.version, name: first.name, left: due.length - index });
      await apply(wire, clock, step, present);
    }
    return due.map(({ version }) => version);
  } finally {
    if (!wire.isLost) await wire.query("SELECT pg_advisory_unlock($1, $2)", MIGRATION_LOCK);
  }
}

const OUR_TABLE =
  'CREATE TABLE IF NOT EXISTS ringward_schema (version bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, at bigint NOT NULL)';

/** All of them or none. */
async function apply(wire: Wire, clock: Clock, step: readonly TranslatedMigration[], present: number): Promise<void> {
  let at = step[0];
  await wire.query("BEGIN");
  try {
    await wire.query("SET LOCAL statement_timeout = 0");
    await wire.query(OUR_TABLE);
    for (at of step) {
      // Joined into one text, which takes one round trip.
      if (at.statements.length > 0) await wire.query(at.statements.map(({ sql }) => sql).join(";\n"));
      const mark = "INSERT INTO ringward_schema (version, name, at) VALUES ($1, $2, $3)";
      await wire.query(mark, [at.version, at.name, clock.now()]);
    }
    await wire.query("COMMIT");
  } catch (error) {
    if (!wire.isLost) await wire.query("ROLLBACK");
    throw new MigrationError(
      `Migration ${at?.version} (${at?.name}) failed and was undone; the database still has schema ${present}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
