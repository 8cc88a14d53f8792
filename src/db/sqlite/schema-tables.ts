// Tables, columns and keys of this binary's schema, read from a new in-memory database.
import Sqlite from "better-sqlite3";
import { SCHEMA } from "../migrations.ts";

export interface SchemaTable {
  name: string;
  columns: readonly string[];
  key: readonly string[];
  /** The database generates its numeric key. */
  isNumbered: boolean;
  references: readonly string[];
}

export function schemaTables(): SchemaTable[] {
  const connection = new Sqlite(":memory:");
  try {
    connection.exec(SCHEMA);
    // Excludes virtual tables and their shadow tables.
    const own =
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema' ORDER BY name";
    const names = connection.prepare(own).pluck().all();
    return (names as string[]).map((name) => tableOf(connection, name));
  } finally {
    connection.close();
  }
}

function tableOf(connection: Sqlite.Database, name: string): SchemaTable {
  const columns = connection.prepare("SELECT name, type, pk FROM pragma_table_info(?)").all(name) as {
    name: string;
    type: string;
    pk: number;
  }[];
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const references = connection.prepare('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)').pluck().all(name);
  return {
    name,
    columns: columns.map((column) => column.name),
    key: key.map((column) => column.name),
    isNumbered: key.length === 1 && key[0]?.type === "INTEGER",
    references: references as string[],
  };
}
