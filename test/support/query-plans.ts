// SQLite's query plan for every statement that a function runs.
import Sqlite from "better-sqlite3";
import type { Executor } from "../../src/db/database.ts";
import { SCHEMA } from "../../src/db/migrations.ts";
import { kyselyOn } from "../../src/db/sqlite/connection.ts";

export interface Plan {
  sql: string;
  /** SQLite's own words, one for each step. */
  steps: string[];
}

/**
 * On a database of this source's schema with these rows, if any. Without statistics the plan is the same for a large
 * one.
 */
export async function plansOf(run: (executor: Executor) => Promise<unknown>, rows = ""): Promise<Plan[]> {
  const ran: string[] = [];
  const connection = new Sqlite(":memory:", { verbose: (sql) => void ran.push(String(sql)) });
  try {
    connection.exec(SCHEMA);
    connection.exec(rows);
    ran.length = 0;
    await run(kyselyOn(connection));
    return [...ran].map((sql) => {
      const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      return { sql, steps: steps.map(({ detail }) => detail) };
    });
  } finally {
    connection.close();
  }
}
