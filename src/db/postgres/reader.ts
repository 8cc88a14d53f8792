// Reads outside a write: each statement separately, on any connection of a read-only pool.
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

/** `changes`: those of the server, which may cache its reads. */
export function readerOn(pool: WirePool, underWay: UnderWay, changes?: TableStamps): Executor {
  return executorOn(
    (sql, values) => underWay.during(() => askIn(pool, sql, values)),
    () => underWay.none(),
    { changes },
  );
}

/** Together with a statement's lock timeout, this stays below the response time of a request. */
const TURN_WITHIN_MS = 4 * SECOND_MS;

/**
 * For slow reads, on a separate pool, so they never block other reads. If the client disconnects, the read is cancelled
 * over a connection of `others`.
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
      // The connection broke while idle; repeating a read is safe.
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
