// TypeScript row types of every table, generated from migrations/schema.sql. Both engines return these values:
// db/postgres reads bigint and double precision as numbers and bytea as bytes, like SQLite.
import Sqlite from "better-sqlite3";
import { COLUMN_WORDS, type ColumnWords } from "./column-words.ts";

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  /** Position in the primary key, from 1; 0 if it is not part of it. */
  pk: number;
}

const TYPES: Readonly<Record<string, string>> = {
  TEXT: "string",
  INTEGER: "number",
  REAL: "number",
  BLOB: "Uint8Array",
};

const HEAD = `// The rows of every table. Written by ./scripts/schema from migrations/schema.sql, which says what the columns mean.
import type { Generated } from "kysely";

export interface Tables {
`;

export function rowTypes(schema: string, words: ColumnWords = COLUMN_WORDS): string {
  const connection = new Sqlite(":memory:");
  try {
    connection.exec(schema);
    const names = connection
      .prepare(
        `SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .pluck()
      .all() as string[];
    const columns = connection.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)');
    const tables = new Map(names.map((name) => [name, columns.all(name) as Column[]]));
    assertKnown(tables, words);
    return `${HEAD}${[...tables].map(([name, all]) => interfaceOf(name, all, words[name])).join("")}}\n`;
  } finally {
    connection.close();
  }
}

function interfaceOf(table: string, columns: readonly Column[], words: ColumnWords[string] = {}): string {
  const isRowid = ({ type, pk }: Column) => pk === 1 && type === "INTEGER" && columns.every((each) => each.pk < 2);
  const lines = columns.map(
    (column) =>
      `    ${column.name}:${isRowid(column) ? " Generated<number>" : typeOf(table, column, words[column.name])};\n`,
  );
  return `  ${table}: {\n${lines.join("")}  };\n`;
}

function typeOf(table: string, { name, type, notnull, pk }: Column, words: readonly string[] | undefined): string {
  const all = words?.map((word) => `"${word}"`) ?? [TYPES[type] ?? unknownType(table, name, type)];
  // SQLite permits null in a text primary key unless declared otherwise; ours is never null.
  if (notnull === 0 && pk === 0) all.push("null");
  const onOneLine = ` ${all.join(" | ")}`;
  const isTooLong = `    ${name}:${onOneLine};`.length > 120;
  return isTooLong ? all.map((each) => `\n      | ${each}`).join("") : onOneLine;
}

function unknownType(table: string, name: string, type: string): never {
  throw new Error(`${table}.${name} is ${type}, which no row type is known for.`);
}

/** The values of a removed or renamed column would be lost silently. */
function assertKnown(tables: ReadonlyMap<string, readonly Column[]>, words: ColumnWords): void {
  for (const [table, columns] of Object.entries(words))
    for (const name of Object.keys(columns))
      if (tables.get(table)?.find((column) => column.name === name)?.type !== "TEXT")
        throw new Error(`column-words.ts names ${table}.${name}, which is no column of text.`);
}
