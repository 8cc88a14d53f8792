// Iterates an index in slices, so other requests and searches get their turn regardless of the number of rows.
import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from "kysely";
import { othersFirst } from "../core/clock.ts";
import type { Tables } from "./tables.ts";

/**
 * Rows that sort after this one in the order of the columns: `(a, b) > (1, 2)`. Both engines seek to it in an index on
 * these columns.
 */
export function behind<Column extends string>(
  columns: readonly Column[],
  row: Readonly<Record<Column, unknown>>,
): Expression<SqlBool> {
  const names = columns.map((column) => sql.ref(column));
  const values = columns.map((column) => sql.val(row[column]));
  return sql<SqlBool>`(${sql.join(names)}) > (${sql.join(values)})`;
}

/**
 * All rows of the query, at most `most` at a time, in the order of the columns. The columns must be selected and unique
 * together.
 */
export async function* slicesAlong<Table extends keyof Tables, Row extends object>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: readonly (keyof Row & string)[],
  most: number,
): AsyncGenerator<Row[]> {
  let ordered = query.limit(most);
  for (const column of columns) ordered = ordered.orderBy(sql.ref(column));
  for (let last: Row | undefined; ;) {
    const rows = await (last ? ordered.where(behind(columns, last)) : ordered).execute();
    yield rows;
    last = rows.at(-1);
    if (rows.length < most) return;
    await othersFirst();
  }
}
