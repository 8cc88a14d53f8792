// Hot queries, built and compiled by Kysely once and run many times with other values.
import type { Compilable, CompiledQuery, QueryResult } from "kysely";
import { changesSeenBy, shortcutOf } from "./connection.ts";
import type { TableChanges } from "./table-changes.ts";
import type { Executor, Tables } from "./tables.ts";

/** A page's size can be anything up to the largest; nobody uses many. */
const MOST_LIMITS = 20;

class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * `build` is called once with placeholders instead of values, so it must use every value as it is, never compute with it. A
 * value named `limit` is given as it is.
 *
 *     const callById = prepared<{ id: string }>()((db, { id }) => db.selectFrom("calls").selectAll().where("id", "=", id));
 *     const [call] = await callById(reader, { id: "call_…" });
 */
export function prepared<Values extends object>() {
  return <Row>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const run = compiledOnce(build);
    return async (executor: Executor, values: Values): Promise<Row[]> => (await run(executor, values)).rows;
  };
}

/** So many answers of one query are remembered; those asked for least lately go first. */
const MOST_REMEMBERED = 1_000;

/**
 * A prepared query whose answers are remembered until one of `tables` changes: all those that it reads. The rows are shared and
 * frozen. Within a transaction, which must see what it wrote itself, nothing is remembered; nor is an answer without a row, so
 * that strangers fill no memory.
 */
export function remembered<Values extends object>(tables: readonly (keyof Tables)[]) {
  return <Row extends object>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const run = prepared<Values>()(build);
    const memories = new WeakMap<TableChanges, Map<string, { stamp: number; rows: Row[] }>>();
    return async (executor: Executor, values: Values): Promise<Row[]> => {
      const changes = changesSeenBy(executor);
      if (!changes) return run(executor, values);
      const memory = memories.get(changes) ?? new Map<string, { stamp: number; rows: Row[] }>();
      memories.set(changes, memory);
      const key = JSON.stringify(Object.values(values));
      const stamp = changes.stampOf(tables);
      const known = memory.get(key);
      memory.delete(key);
      const rows = known?.stamp === stamp ? known.rows : frozen(await run(executor, values));
      if (rows.length === 0) return rows;
      memory.set(key, { stamp, rows });
      if (memory.size > MOST_REMEMBERED) memory.delete(memory.keys().next().value ?? "");
      return rows;
    };
  };
}

function frozen<Row extends object>(rows: Row[]): Row[] {
  for (const row of rows) Object.freeze(row);
  return Object.freeze(rows) as Row[];
}

/** The same for a change; answers how many rows it touched. */
export function preparedChange<Values extends object>() {
  return <Row>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const run = compiledOnce(build);
    return async (executor: Executor, values: Values): Promise<number> =>
      Number((await run(executor, values)).numAffectedRows ?? 0n);
  };
}

function compiledOnce<Values extends object, Row>(build: (executor: Executor, values: Values) => Compilable<Row>) {
  /** Once for each limit: it is part of the text; see direct-dialect.ts. */
  const compiled = new Map<unknown, CompiledQuery<Row>>();

  function compiledFor(executor: Executor, limit: unknown): CompiledQuery<Row> {
    const known = compiled.get(limit);
    if (known) return known;
    const query = build(executor, placeholders<Values>(limit)).compile();
    if (compiled.size >= MOST_LIMITS) compiled.clear();
    compiled.set(limit, query);
    return query;
  }

  return async (executor: Executor, values: Values): Promise<QueryResult<Row>> => {
    const given = values as Record<string, unknown>;
    const query = compiledFor(executor, given["limit"]);
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? given[value.name] : value));
    // SQLite answers at once; another database would be asked through Kysely.
    const run = shortcutOf(executor);
    return run ? run<Row>(query.sql, parameters) : executor.executeQuery<Row>({ ...query, parameters });
  };
}

function placeholders<Values extends object>(limit: unknown): Values {
  return new Proxy({}, { get: (_, name) => (name === "limit" ? limit : new Placeholder(String(name))) }) as Values;
}
