// Names of the existing tables: a database of an early version may lack some.
import { sql } from "kysely";
import { bindingOf } from "./binding.ts";
import type { EngineName } from "./port.ts";
import type { Executor } from "./tables.ts";

const QUERIES = {
  sqlite: sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`,
  postgres: sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
} satisfies Record<EngineName, unknown>;

export async function tableNames(executor: Executor): Promise<ReadonlySet<string>> {
  const { rows } = await QUERIES[bindingOf(executor).engine].execute(executor);
  return new Set(rows.map(({ name }) => name));
}
