// Hot queries, built and compiled by Kysely once and run many times with other values.
import type { Compilable, CompiledQuery, QueryResult } from "kysely";
import { shortcutOf } from "./connection.ts";
import type { Executor } from "./tables.ts";

class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * `build` is called once with placeholders instead of values, so it must use every value as it is, never compute with it.
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

/** The same for a change; answers how many rows it touched. */
export function preparedChange<Values extends object>() {
  return <Row>(build: (executor: Executor, values: Values) => Compilable<Row>) => {
    const run = compiledOnce(build);
    return async (executor: Executor, values: Values): Promise<number> =>
      Number((await run(executor, values)).numAffectedRows ?? 0n);
  };
}

function compiledOnce<Values extends object, Row>(build: (executor: Executor, values: Values) => Compilable<Row>) {
  let compiled: CompiledQuery<Row> | undefined;
  return async (executor: Executor, values: Values): Promise<QueryResult<Row>> => {
    compiled ??= build(executor, placeholders<Values>()).compile();
    const given = values as Record<string, unknown>;
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? given[value.name] : value));
    // SQLite answers at once; another database would be asked through Kysely.
    const run = shortcutOf(executor);
    return run ? run<Row>(compiled.sql, parameters) : executor.executeQuery<Row>({ ...compiled, parameters });
  };
}

function placeholders<Values extends object>(): Values {
  return new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
}
