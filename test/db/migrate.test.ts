import { beforeEach, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { APPLICATION_ID, type Connection } from "../../src/db/sqlite/connection.ts";
import { latestVersion, MigrationError } from "../../src/db/migrations.ts";
import { migrate, migrateAloud, refuseNewer, schemaVersion } from "../../src/db/sqlite/migrate.ts";
import { MIGRATIONS, type Migration } from "../../src/db/migrations.ts";

const ONE: Migration = {
  version: 1,
  name: "one",
  sql: "CREATE TABLE one (a TEXT) STRICT; INSERT INTO one VALUES ('kept');",
};
const TWO: Migration = {
  version: 2,
  name: "two",
  sql: "ALTER TABLE one ADD COLUMN b TEXT; CREATE TABLE two (a TEXT) STRICT;",
};
const BROKEN: Migration = {
  version: 3,
  name: "broken",
  sql: "CREATE TABLE three (a TEXT); INSERT INTO nowhere VALUES (1);",
};

let connection: Connection;
beforeEach(() => {
  connection = new Sqlite(":memory:");
});

const tables = () =>
  connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

describe("a fresh database", () => {
  test("gets every migration, the version and the application id", () => {
    expect(migrate(connection)).toEqual(MIGRATIONS.map(({ version }) => version));
    expect(schemaVersion(connection)).toBe(latestVersion());
    expect(connection.pragma("application_id", { simple: true })).toBe(APPLICATION_ID);
    expect(tables()).toContain("organisations");
  });

  test("is not migrated twice", () => {
    migrate(connection);
    expect(migrate(connection)).toEqual([]);
  });
});

describe("an older database", () => {
  test("is migrated in steps and keeps its rows", () => {
    expect(migrate(connection, [ONE])).toEqual([1]);
    expect(migrate(connection, [ONE, TWO])).toEqual([2]);
    expect(connection.prepare("SELECT a, b FROM one").get()).toEqual({ a: "kept", b: null });
  });

  test("ends up like a fresh one", () => {
    const fresh = new Sqlite(":memory:");
    migrate(fresh);
    for (let count = 1; count <= MIGRATIONS.length; count++) migrate(connection, MIGRATIONS.slice(0, count));
    const schema = (of: Connection) => of.prepare("SELECT sql FROM sqlite_schema ORDER BY name").pluck().all();
    expect(schema(connection)).toEqual(schema(fresh));
  });
});

describe("a migration that fails", () => {
  test("is rolled back completely, reports it, and leaves the previous schema", () => {
    migrate(connection, [ONE]);
    expect(() => migrate(connection, [ONE, TWO, BROKEN])).toThrow(
      "Migration 3 (broken) failed and was undone; the database still has schema 2: no such table: nowhere",
    );
    expect(schemaVersion(connection)).toBe(2);
    expect(tables()).toEqual(["one", "two"]);
    expect(connection.inTransaction).toBeFalse();
  });

  test("leaves a new database empty", () => {
    connection.pragma(`application_id = ${APPLICATION_ID}`);
    connection.exec("CREATE TABLE webhook_endpoints (a TEXT)");
    expect(() => migrate(connection)).toThrow(
      /\(schema\) failed and was undone; the database still has schema 0: .*webhook_endpoints already exists/,
    );
    expect([schemaVersion(connection), tables()]).toEqual([0, ["webhook_endpoints"]]);
    expect(connection.inTransaction).toBeFalse();
  });

  test("can be repaired by the next binary", () => {
    migrate(connection, [ONE]);
    expect(() => migrate(connection, [ONE, TWO, BROKEN])).toThrow(MigrationError);
    expect(migrate(connection, [ONE, TWO, { ...BROKEN, sql: "CREATE TABLE three (a TEXT);" }])).toEqual([3]);
  });
});

describe("a database that is not for this binary", () => {
  test("because it is newer is refused untouched, with instructions", () => {
    migrate(connection, [ONE, TWO]);
    expect(() => migrate(connection, [ONE])).toThrow("run that version, or restore a backup made before the upgrade");
    expect(() => refuseNewer(connection, [ONE])).toThrow("has schema 2, this binary knows up to 1");
    expect(schemaVersion(connection)).toBe(2);
  });

  test("because it is another program's is refused untouched", () => {
    connection.exec("CREATE TABLE theirs (a)");
    expect(() => migrate(connection)).toThrow("database of another program");
    expect(tables()).toEqual(["theirs"]);
    expect(connection.pragma("application_id", { simple: true })).toBe(0);
  });
});

test("an upgrade reports each migration before it begins; a new database reports nothing", async () => {
  const told: { version: number; name: string; left: number }[] = [];
  const from = MIGRATIONS.length - 3;
  migrate(connection, MIGRATIONS.slice(0, from));
  await migrateAloud(connection, (step) => void told.push({ ...step, version: schemaVersion(connection) }));
  expect(told).toEqual(
    [3, 2, 1].map((left, index) => ({ version: from + index, name: MIGRATIONS[from + index]!.name, left })),
  );
  const fresh = new Sqlite(":memory:");
  await migrateAloud(fresh, () => void told.push({ version: 0, name: "", left: 0 }));
  expect([told.length, schemaVersion(fresh)]).toEqual([3, MIGRATIONS.length]);
});
