// Prepared queries over a list of values, such as rows by id: one statement for many values instead of one each.
import type { Compilable } from "kysely";
import { preparedOver } from "./prepared.ts";
import type { Executor } from "./tables.ts";

/**
 * A list is padded to one of these lengths with its last value, and a longer one is queried in parts: this needs few
 * statements, each prepared once.
 */
const LENGTHS = [1, 4, 16, 64] as const;
const LONGEST = 64;

/**
 * Like `prepared`, for a query that uses a list with `in`, where duplicate values do not matter. An empty list runs no
 * query.
 *
 * const eventsById = preparedList<object>()((db, ids) => db.selectFrom("events").selectAll().where("id", "in", ids));
 * const events = await eventsById(reader, ["evt_1", "evt_2"], {});
 */
export function preparedList<Values extends object>() {
  return <Row>(build: (executor: Executor, list: string[], values: Values) => Compilable<Row>) => {
    const lengths = LENGTHS.map((length) => ({ length, run: preparedOver<Values>(length)(build) }));

    async function ask(executor: Executor, list: readonly string[], values: Values): Promise<Row[]> {
      const fitting = lengths.find(({ length }) => length >= list.length);
      const last = list.at(-1);
      if (!fitting || last === undefined) return [];
      const filling = Array.from({ length: fitting.length - list.length }, () => last);
      return fitting.run(executor, [...list, ...filling], values);
    }

    return async (executor: Executor, list: readonly string[], values: Values): Promise<Row[]> => {
      if (list.length <= LONGEST) return ask(executor, list, values);
      const rows: Row[] = [];
      for (let at = 0; at < list.length; at += LONGEST)
        rows.push(...(await ask(executor, list.slice(at, at + LONGEST), values)));
      return rows;
    };
  };
}
