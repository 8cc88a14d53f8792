import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rowTypes } from "../../scripts/row-types.ts";
import { ROWS_FILE, schemaText } from "../../scripts/schema.ts";
import { MIGRATIONS, SCHEMA } from "../../src/db/migrations.ts";

const FOLDER = join(import.meta.dir, "../../migrations");

test("the migrations folder and the embedded list hold the same files with the same text", () => {
  const inFolder = readdirSync(FOLDER)
    .toSorted()
    .filter((file) => file !== "schema.sql");
  const listed = MIGRATIONS.map(({ version, name }) => `${String(version).padStart(4, "0")}_${name}.sql`);
  expect(listed).toEqual(inFolder);
  for (const [i, file] of listed.entries()) expect(MIGRATIONS[i]?.sql).toBe(readFileSync(join(FOLDER, file), "utf8"));
});

test("what a new database is made from is what the migrations make; ./scripts/schema writes it anew", () => {
  expect(SCHEMA).toBe(schemaText());
});

test("the row types are those of the schema; ./scripts/schema writes them anew", () => {
  expect(readFileSync(ROWS_FILE, "utf8")).toBe(rowTypes(SCHEMA));
});

test("a row type says what a column holds: a number, a word, nothing, or what the database counts itself", () => {
  const schema = `CREATE TABLE people (id TEXT PRIMARY KEY, role TEXT NOT NULL, language TEXT, at REAL) STRICT;
    CREATE TABLE changes (sequence INTEGER PRIMARY KEY, sound BLOB NOT NULL) STRICT;`;
  expect(rowTypes(schema, { people: { role: ["owner", "staff"], language: ["en"] } }))
    .toEndWith(`export interface Tables {
  changes: {
    sequence: Generated<number>;
    sound: Uint8Array;
  };
  people: {
    id: string;
    role: "owner" | "staff";
    language: "en" | null;
    at: number | null;
  };
}
`);
  expect(() => rowTypes(schema, { people: { rank: ["a"] } })).toThrow("people.rank");
});

test("versions count from 1 without gaps", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, i) => i + 1));
});

test("every table is STRICT, so that a column holds what it says", () => {
  for (const { sql, name } of MIGRATIONS) {
    const statements = sql.replaceAll(/--[^\n]*/g, "").split(";");
    const tables = statements.filter((statement) => /CREATE TABLE/.test(statement));
    for (const table of tables)
      expect(`${name}: ${table.trim()}`).toMatch(/\)\s*(STRICT|WITHOUT ROWID, STRICT|STRICT, WITHOUT ROWID)$/);
  }
});
