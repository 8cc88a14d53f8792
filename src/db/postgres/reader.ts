// Reading outside of a write: each statement by itself, on any connection of a pool that may not write.
import { SECOND_MS, systemClock } from "../../core/clock.ts";
import type { TableStamps } from "../binding.ts";
import { HeavyReads } from "../heavy-reads.ts";
import type { Executor } from "../tables.ts";
import type { UnderWay } from "../under-way.ts";
import { untilLeft } from "./cancelling.ts";
import { executorOn, type Ask } from "./dialect.ts";
import { DatabaseFault, isSilent, toldOutside } from "./faults.ts";
import type { WirePool } from "./pool.ts";
import type { Answer } from "./wire.ts";

/** `changes`: of the server, which may remember what it read. */
export function readerOn(pool: WirePool, underWay: UnderWay, changes?: TableStamps): Executor {
  return executorOn(
    (sql, values) => underWay.during(() => askIn(pool, sql, values)),
    () => underWay.none(),
    { changes },
  );
}

/** With the time that a statement may wait for a lock, less than what a request is answered in. */
const TURN_WITHIN_MS = 4 * SECOND_MS;

/**
 * For reads that take long, on a pool of its own: they never keep the others from a connection. One whose client leaves
 * is cancelled over a connection of `others`.
 */
export function heavyReaderOn(pool: WirePool, lanes: number, underWay: UnderWay, others: WirePool): Executor {
  const reads = new HeavyReads<Answer>({
    lanes,
    turn: { withinMs: TURN_WITHIN_MS, clock: systemClock },
    run: ({ sql, parameters }, left) => askIn(pool, sql, parameters, left && { left, others }),
  });
  const ask: Ask = (sql, values) => underWay.during(() => reads.ask(sql, values));
  return executorOn(ask, () => underWay.none());
}

interface Leaving {
  left: AbortSignal;
  others: WirePool;
}

async function askIn(
  pool: WirePool,
  sql: string,
  values: readonly unknown[],
  leaving: Leaving | null = null,
): Promise<Answer> {
  const ask = () => askOnce(pool, sql, values, leaving);
  try {
    return await ask().catch((error: unknown) => {
      // A connection that broke while nobody used it; reading twice does no harm.
      if (error instanceof DatabaseFault && error.isLost && !isSilent(error)) return ask();
      throw error;
    });
  } catch (error) {
    throw error instanceof DatabaseFault ? toldOutside(error, false) : error;
  }
}

async function askOnce(
  pool: WirePool,
  sql: string,
  values: readonly unknown[],
  leaving: Leaving | null,
): Promise<Answer> {
  const wire = await pool.take();
  try {
    if (!leaving) return await wire.ask(sql, values);
    return await untilLeft(wire, leaving.left, leaving.others, () => wire.ask(sql, values));
  } finally {
    pool.give(wire);
  }
}
