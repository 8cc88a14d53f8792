// Prunes events that have served: delivered or given up on by every endpoint, and older than the settings say. What
// still waits, or is held for a switched-off endpoint, is never pruned: it goes out, or somebody gives it up.
import { DAY_MS, HOUR_MS } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import { deleteOldEvents, eventsBefore, type Position } from "./history-store.ts";

/** In one transaction: about 20 ms of the writer, in which everybody else waits. */
export const EVENTS_PER_BATCH = 200;
/** A run is part of a round of the scheduler, so it is short; one a minute prunes up to 2.8 million events a day. */
export const BATCHES_PER_RUN = 10;
/** Once everything old was looked at, a new look is worth it after this long. */
const LOOK_EVERY_MS = HOUR_MS;

export function createEventHistory(deps: { db: Database; logger: Logger; keepDays: number }) {
  const { db, logger, keepDays } = deps;
  /** How far the walk has come: what is kept is not looked at again and again. */
  let after: Position | null = null;
  let finishedAt: number | null = null;

  async function pruneBatch(now: number): Promise<{ pruned: number; isMore: boolean }> {
    const until = now - keepDays * DAY_MS;
    const found = await eventsBefore(db.reader, until, after, EVENTS_PER_BATCH);
    const old = found.filter(({ isKept }) => !isKept).map(({ id }) => id);
    const pruned = old.length === 0 ? 0 : await db.write((tx) => deleteOldEvents(tx, old, until));
    const isMore = found.length === EVENTS_PER_BATCH;
    after = isMore ? (found.at(-1) ?? null) : null;
    if (!isMore) finishedAt = now;
    return { pruned, isMore };
  }

  return {
    name: "prune old events",
    pattern: "* * * * *",
    isDestructive: true,
    /** A bounded part of what is old; the next run goes on from there. */
    async run(now: number): Promise<void> {
      if (keepDays === 0) return;
      // A clock that was set back does not put the next look off.
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
