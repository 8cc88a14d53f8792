// Reading outside of a write: each statement by itself, on any connection of a pool that may not write.
import type { Executor } from "../tables.ts";
import { executorOn } from "./dialect.ts";
import { DatabaseFault, toldOutside } from "./faults.ts";
import type { WirePool } from "./pool.ts";
import type { UnderWay } from "./under-way.ts";
import type { Answer } from "./wire.ts";

export function readerOn(pool: WirePool, underWay: UnderWay): Executor {
  async function askOnce(sql: string, values: readonly unknown[]): Promise<Answer> {
    const wire = await pool.take();
    try {
      return await wire.ask(sql, values);
    } finally {
      pool.give(wire);
    }
  }

  async function ask(sql: string, values: readonly unknown[]): Promise<Answer> {
    try {
      return await askOnce(sql, values).catch((error: unknown) => {
        // A connection that broke while nobody used it; reading twice does no harm.
        if (error instanceof DatabaseFault && error.isLost) return askOnce(sql, values);
        throw error;
      });
    } catch (error) {
      throw error instanceof DatabaseFault ? toldOutside(error, false) : error;
    }
  }

  return executorOn(
    (sql, values) => underWay.during(() => ask(sql, values)),
    () => underWay.none(),
  );
}
