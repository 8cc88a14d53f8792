// Rows of any table, one page at a time in key order, and a checksum to compare two tables.
import { createHash } from "node:crypto";
import { CompiledQuery, sql } from "kysely";
import { bindingOf } from "../binding.ts";
import type { SchemaTable } from "../sqlite/schema-tables.ts";
import type { Executor, Tx } from "../tables.ts";

export type Row = Record<string, unknown>;

/** Values per statement: SQLite accepts 32,766. */
const MOST_VALUES = 30_000;
const MOST_ROWS = 500;

const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

export async function* pagesOf(executor: Executor, table: SchemaTable): AsyncGenerator<Row[], void> {
  const { name, columns, key } = table;
  const size = Math.min(MOST_ROWS, Math.floor(MOST_VALUES / columns.length));
  const order = listed(key);
  for (let last: Row | undefined; ;) {
    const from = last;
    const after = from ? sql`WHERE (${order}) > (${sql.join(key.map((column) => from[column]))})` : sql``;
    const { rows } = await sql<Row>`SELECT ${listed(columns)} FROM ${sql.table(name)} ${after}
      ORDER BY ${order} LIMIT ${sql.lit(size)}`.execute(executor);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

export async function insertRows(tx: Tx, table: SchemaTable, rows: readonly Row[]): Promise<void> {
  const values = rows.flatMap((row) => table.columns.map((column) => row[column]));
  await tx.executeQuery(CompiledQuery.raw(insertText(tx, table, rows.length), values));
}

/**
 * For up to 30,000 values: built by hand, because Kysely creates an object for each. Every page of a table except the
 * last has the same text.
 */
function insertText(tx: Tx, { name, columns }: SchemaTable, rows: number): string {
  const isNumbered = bindingOf(tx).engine === "postgres";
  let values = 0;
  const one = () => (isNumbered ? `$${++values}` : "?");
  const row = () => `(${columns.map(one).join(",")})`;
  const quoted = columns.map((column) => `"${column}"`).join(", ");
  return `INSERT INTO "${name}" (${quoted}) VALUES ${Array.from({ length: rows }, row).join(",")}`;
}

export interface Sum {
  rows: number;
  sha256: string;
}

/** Covers every value of every row, except rows that `isLeftOut`. */
export async function sumOf(
  executor: Executor,
  table: SchemaTable,
  isLeftOut: (row: Row) => boolean = () => false,
  seen: (rows: number) => void = () => {},
): Promise<Sum> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const page of pagesOf(executor, table)) {
    for (const row of page) {
      if (isLeftOut(row)) continue;
      hash.update(`${JSON.stringify(table.columns.map((column) => plain(row[column])))}\n`);
      count += 1;
    }
    seen(count);
  }
  return { rows: count, sha256: hash.digest("hex") };
}

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
