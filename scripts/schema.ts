// Writes migrations/schema.sql, the result of all migrations, from which a new database is created in one step. Then
// writes the row types of its tables.
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { MIGRATIONS } from "../src/db/migrations.ts";
import { rowTypes } from "./row-types.ts";

const SCHEMA_FILE = join(import.meta.dir, "../migrations/schema.sql");
export const ROWS_FILE = join(import.meta.dir, "../src/db/rows.ts");

const HEAD = `-- What all the migrations together make. Written by ./scripts/schema: change it by adding a migration.
`;

export function schemaText(): string {
  const connection = new Sqlite(":memory:");
  try {
    for (const { sql } of MIGRATIONS) connection.exec(sql);
    assertNoRows(connection);
    // Objects created by the database itself have no SQL text, or a reserved name. Indexes and triggers come after all
    // tables.
    const statements = connection
      .prepare(
        `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
         ORDER BY type <> 'table', type <> 'index', rowid`,
      )
      .pluck()
      .all() as string[];
    return [HEAD, ...statements.map((statement) => `${statement};\n`)].join("\n");
  } finally {
    connection.close();
  }
}

/** The file contains no rows: rows that a migration inserts into an empty database would be lost. */
function assertNoRows(connection: Sqlite.Database): void {
  const own = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema'";
  const names = connection.prepare(own).pluck().all() as string[];
  for (const name of names)
    if (connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() !== 0)
      throw new Error(`The migrations put rows into ${name}. schema.sql cannot hold them yet.`);
}

if (import.meta.main) {
  const schema = schemaText();
  await Bun.write(SCHEMA_FILE, schema);
  await Bun.write(ROWS_FILE, rowTypes(schema));
}
