// Retention of events: prunes events that every endpoint has received or given up, once they are older than configured.
// Pending and held deliveries are never pruned, and neither are events about records under a retention hold.
import { DAY_MS, HOUR_MS } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { deleteOldEvents, eventsBefore, subjectsOfEvents, type EventSubject, type Position } from "./history-store.ts";

/** Per transaction: about 20 ms of writer time, during which other writes wait. */
export const EVENTS_PER_BATCH = 200;
/** A run is part of a scheduler round, so it is short; one run per minute prunes up to 2.8 million events a day. */
export const BATCHES_PER_RUN = 10;
/** Interval between complete scans. */
const LOOK_EVERY_MS = HOUR_MS;

export interface EventHistoryDeps {
  db: Database;
  logger: Logger;
  keepDays: number;
  /** The events that no retention hold keeps. */
  erasable: (
    executor: Executor,
    events: readonly EventSubject[],
    about: (event: EventSubject) => EventSubject,
  ) => Promise<EventSubject[]>;
}

export function createEventHistory(deps: EventHistoryDeps) {
  const { db, logger, keepDays, erasable } = deps;
  /** Cursor of the scan, so kept events are not read repeatedly. */
  let after: Position | null = null;
  let finishedAt: number | null = null;

  async function pruneBatch(now: number): Promise<{ pruned: number; isMore: boolean }> {
    const until = now - keepDays * DAY_MS;
    const found = await eventsBefore(db.reader, until, after, EVENTS_PER_BATCH);
    const old = found.filter(({ isKept }) => !isKept).map(({ id }) => id);
    const pruned =
      old.length === 0
        ? 0
        : await db.write(async (tx) => {
            const free = await erasable(tx, await subjectsOfEvents(tx, old), (event) => event);
            const ids = free.map(({ id }) => id);
            return deleteOldEvents(tx, ids, until);
          });
    const isMore = found.length === EVENTS_PER_BATCH;
    after = isMore ? (found.at(-1) ?? null) : null;
    if (!isMore) finishedAt = now;
    return { pruned, isMore };
  }

  return {
    name: "prune old events",
    pattern: "* * * * *",
    isDestructive: true,
    /** Prunes a bounded number of old events; the next run continues there. */
    async run(now: number): Promise<void> {
      if (keepDays === 0) return;
      // The absolute difference, so a clock set back does not delay the next scan.
      if (finishedAt !== null && Math.abs(now - finishedAt) < LOOK_EVERY_MS) return;
      let events = 0;
      for (let batch = 0, isMore = true; isMore && batch < BATCHES_PER_RUN; batch++) {
        const result = await pruneBatch(now);
        events += result.pruned;
        isMore = result.isMore;
      }
      if (events > 0) logger.info("Old events were pruned with their deliveries.", { events });
    },
  };
}
