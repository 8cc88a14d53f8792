// Hot queries, compiled by Kysely once and run many times with different values.
import type { Compilable, CompiledQuery, QueryResult } from "kysely";
import { othersFirst } from "../core/clock.ts";
import { bindingOf, type Binding } from "./binding.ts";
import { Memory } from "./memory.ts";
import type { EngineName } from "./port.ts";
import type { Executor, Tables } from "./tables.ts";

/** A page size can be any number up to the maximum, but few are used. */
const MOST_LIMITS = 20;

/** The placeholder name of list items; no value has this name. */
const ITEM = "";

/** Every prepared query, with any limit: for a test that runs them against a database. */
export const PREPARED: ((executor: Executor) => CompiledQuery)[] = [];

const AHEAD: ((executor: Executor) => void)[] = [];

/**
 * Compiles all unused queries, yielding in between. Together it takes 200 ms on a cold start, which the first requests
 * would otherwise wait for.
 */
export async function compileAhead(executor: Executor, isWanted: () => boolean): Promise<void> {
  for (const compile of AHEAD) {
    if (!isWanted()) return;
    compile(executor);
    await othersFirst();
  }
}

class Placeholder {
  constructor(
    readonly name: string,
    /** Index, if there are several rows or a list of values. */
    readonly at = 0,
  ) {}
}

/**
 * `build` is called once with placeholders instead of values, so it must use each value as it is and never compute with
 * it. A value named `limit` is passed unchanged.
 *
 * const callById = prepared<{ id: string }>()((db, { id }) => db.selectFrom("calls").selectAll().where("id", "=", id));
 * const [call] = await callById(reader, { id: "call_…" });
 */
export function prepared<Values extends object>() {
  return <Row>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const run = compiledOnce(build);
    return async (executor: Executor, values: Values): Promise<Row[]> => {
      const result = run(executor, values);
      return (result instanceof Promise ? await result : result).rows;
    };
  };
}

export interface Remembered<Values, Row> {
  (executor: Executor, values: Values): Promise<Row[]>;
  /** The cached rows, synchronously; undefined if they are not cached. */
  known(executor: Executor, values: Values): Row[] | undefined;
}

/** Cached answers per query. */
const MOST_REMEMBERED = 1_000;

/**
 * A prepared query whose answers are cached until one of `tables` changes. `tables` must list every table it reads; see
 * memory.ts. The rows are shared and frozen, after conversion by `read`. An empty answer is not cached, so
 * unauthenticated clients cannot fill the cache.
 */
export function remembered<Values extends object>(tables: readonly (keyof Tables)[]) {
  return <Row extends object, Meant extends object = Row>(
    build: (executor: Executor, values: Values) => Compilable<Row>,
    read: (row: Row) => Meant = (row) => row as object as Meant,
  ): Remembered<Values, Meant> => {
    const run = prepared<Values>()(build);
    const memory = new Memory<Meant[]>(tables, MOST_REMEMBERED);
    const ask = (executor: Executor, values: Values): Promise<Meant[]> => {
      const key = keyOf(values);
      const known = memory.known(executor, key);
      if (known !== undefined) return Promise.resolve(known);
      return memory.of(
        executor,
        key,
        async () => frozen((await run(executor, values)).map((row) => read(row))),
        (rows) => rows.length > 0,
      );
    };
    return Object.assign(ask, {
      known: (executor: Executor, values: Values) => memory.known(executor, keyOf(values)),
    });
  };
}

/** An unambiguous key: each text is prefixed with its length. */
function keyOf(values: object): string {
  let key = "";
  // Allocates no array, because every request calls it several times.
  for (const name in values) {
    const value = (values as Record<string, unknown>)[name];
    if (typeof value !== "string") return JSON.stringify(values);
    key += `${value.length}:${value}`;
  }
  return key;
}

function frozen<Row extends object>(rows: Row[]): Row[] {
  for (const row of rows) Object.freeze(row);
  return Object.freeze(rows) as Row[];
}

/** The same for a change; returns the number of affected rows. */
export function preparedChange<Values extends object>() {
  return <Row>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const run = compiledOnce(build);
    return async (executor: Executor, values: Values): Promise<number> => {
      const result = run(executor, values);
      return Number((result instanceof Promise ? await result : result).numAffectedRows ?? 0n);
    };
  };
}

/**
 * The same for a change whose result is not needed. On PostgreSQL it is sent with the next statement that returns a
 * result, or with the commit. `rows`: how many it must change; the command fails with any other number.
 */
export function preparedWrite<Values extends object>(rows?: number) {
  return <Row>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const fill = filledOnce(build);
    return async (executor: Executor, values: Values): Promise<void> => {
      const { binding, query, parameters } = fill(executor, values);
      if (binding.later) return binding.later(query.sql, parameters, rows);
      const result = runWith(binding, executor, query, parameters);
      const { numAffectedRows } = result instanceof Promise ? await result : result;
      if (rows !== undefined && Number(numAffectedRows ?? 0n) !== rows)
        throw new Error("A statement changed an unexpected number of rows.");
    };
  };
}

/** The same for a query over a list of exactly `count` texts. `build` receives the list as placeholders, too. */
export function preparedOver<Values extends object>(count: number) {
  const items = Array.from({ length: count }, (_, at) => new Placeholder(ITEM, at)) as unknown as string[];
  return <Row>(build: (executor: Executor, list: string[], values: Values) => Compilable<Row>) => {
    const compiled: Partial<Record<EngineName, CompiledQuery<Row>>> = {};
    const compile = (executor: Executor) => build(executor, items, placeholders<Values>(1)).compile();
    const compiledFor = (engine: EngineName, executor: Executor) => (compiled[engine] ??= compile(executor));
    PREPARED.push(compile);
    AHEAD.push((executor) => void compiledFor(bindingOf(executor).engine, executor));
    return async (executor: Executor, list: readonly string[], values: Values): Promise<Row[]> => {
      const binding = bindingOf(executor);
      const query = compiledFor(binding.engine, executor);
      const given = values as Record<string, unknown>;
      const parameters = filledIn(query, ({ name, at }) => (name === ITEM ? list[at] : given[name]));
      const result = runWith(binding, executor, query, parameters);
      return (result instanceof Promise ? await result : result).rows;
    };
  };
}

/** For `count` rows in one statement, which takes two thirds of the time of separate statements. */
export function preparedRows<Row extends object>(count: number) {
  const names = Array.from({ length: count }, (_, row) => placeholders<Row>(undefined, row));
  return (build: (executor: Executor, rows: Row[]) => Compilable) => {
    const compiled: Partial<Record<EngineName, CompiledQuery>> = {};
    const compiledFor = (engine: EngineName, executor: Executor) =>
      (compiled[engine] ??= build(executor, names).compile());
    PREPARED.push((executor) => build(executor, names).compile());
    AHEAD.push((executor) => void compiledFor(bindingOf(executor).engine, executor));
    return async (executor: Executor, rows: readonly Row[]): Promise<void> => {
      if (rows.length !== count) throw new Error(`This statement takes ${count} rows, not ${rows.length}.`);
      const binding = bindingOf(executor);
      const query = compiledFor(binding.engine, executor);
      const given = rows as readonly Record<string, unknown>[];
      const parameters = filledIn(query, ({ name, at }) => given[at]?.[name]);
      if (binding.later) return binding.later(query.sql, parameters);
      const result = runWith(binding, executor, query, parameters);
      if (result instanceof Promise) await result;
    };
  };
}

/** Separate statements took an eighth of the CPU time of a dial. */
const ROWS_AT_ONCE = [16, 1] as const;

/** For any number of rows, in as few statements as possible. */
export function preparedBatch<Row extends object>() {
  return (build: (executor: Executor, rows: Row[]) => Compilable) => {
    const inserts = ROWS_AT_ONCE.map((count) => ({ count, insert: preparedRows<Row>(count)(build) }));
    return async (executor: Executor, rows: readonly Row[]): Promise<void> => {
      let at = 0;
      for (const { count, insert } of inserts)
        for (; at + count <= rows.length; at += count) await insert(executor, rows.slice(at, at + count));
    };
  };
}

function compiledOnce<Values extends object, Row>(build: (executor: Executor, values: Values) => Compilable<Row>) {
  const fill = filledOnce(build);
  return (executor: Executor, values: Values): QueryResult<Row> | Promise<QueryResult<Row>> => {
    const { binding, query, parameters } = fill(executor, values);
    return runWith(binding, executor, query, parameters);
  };
}

interface Filled<Row> {
  binding: Binding;
  query: CompiledQuery<Row>;
  parameters: unknown[];
}

function filledOnce<Values extends object, Row>(build: (executor: Executor, values: Values) => Compilable<Row>) {
  /** One per limit, which is part of the text (compiling.ts), and per kind of database. */
  const compiled: Record<EngineName, Map<unknown, CompiledQuery<Row>>> = { sqlite: new Map(), postgres: new Map() };
  PREPARED.push((executor) => build(executor, placeholders<Values>(1)).compile());
  AHEAD.push((executor) => {
    const ofEngine = compiled[bindingOf(executor).engine];
    if (ofEngine.size > 0) return;
    const seen = { limit: false };
    const query = build(
      executor,
      placeholders<Values>(1, 0, () => (seen.limit = true)),
    ).compile();
    // The limit is not known yet; running the builder once is most of the work.
    if (!seen.limit) ofEngine.set(undefined, query);
  });

  function compiledFor(engine: EngineName, executor: Executor, limit: unknown): CompiledQuery<Row> {
    const ofEngine = compiled[engine];
    const known = ofEngine.get(limit);
    if (known) return known;
    const query = build(executor, placeholders<Values>(limit)).compile();
    if (ofEngine.size >= MOST_LIMITS) ofEngine.clear();
    ofEngine.set(limit, query);
    return query;
  }

  return (executor: Executor, values: Values): Filled<Row> => {
    const given = values as Record<string, unknown>;
    const binding = bindingOf(executor);
    const query = compiledFor(binding.engine, executor, given["limit"]);
    return { binding, query, parameters: filledIn(query, ({ name }) => given[name]) };
  };
}

function filledIn({ parameters }: CompiledQuery, valueOf: (place: Placeholder) => unknown): unknown[] {
  return parameters.map((value) => (value instanceof Placeholder ? valueOf(value) : value));
}

/** SQLite runs synchronously. An executor without a direct binding goes through Kysely. */
function runWith<Row>(
  { run, ask }: Binding,
  executor: Executor,
  query: CompiledQuery<Row>,
  parameters: readonly unknown[],
): QueryResult<Row> | Promise<QueryResult<Row>> {
  if (run) return run<Row>(query.sql, parameters);
  return ask ? ask<Row>(query.sql, parameters) : executor.executeQuery<Row>({ ...query, parameters });
}

function placeholders<Values extends object>(limit: unknown, at = 0, limitRead: () => void = () => {}): Values {
  const valueOf = (name: string) => {
    if (name !== "limit") return new Placeholder(name, at);
    limitRead();
    return limit;
  };
  return new Proxy({}, { get: (_, name) => valueOf(String(name)) }) as Values;
}
