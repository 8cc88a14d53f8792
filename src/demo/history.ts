// Makes the demo's past, a day at a time. A day is one transaction, the note of how far it came with it: whoever kills
// the process in the middle finds the days before it, and the next start goes on from there. No day is lived through
// twice.
import { stopwatch, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { historyOf, keepMade } from "./history-store.ts";
import type { DemoHospital } from "./staff.ts";
import { daysLeft, progressOf, type StoryDay } from "./story.ts";

export interface HistoryDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  hospital: DemoHospital;
  /** With services of its own on a clock that is set back, in this transaction. */
  liveThroughDay: (tx: Tx, day: StoryDay, isLast: boolean) => Promise<void>;
}

export function createHistory({ db, clock, logger, hospital, liveThroughDay }: HistoryDeps) {
  let isStopped = false;
  /** Until it is known that there is nothing to make. */
  let isMaking = true;
  const { organisationId, timeZone } = hospital;

  async function makeDays(): Promise<void> {
    const elapsedMs = stopwatch();
    const begun = await historyOf(db.reader, organisationId);
    if (!begun || begun.is_whole) return;
    const days = daysLeft(begun.begins_at, begun.made_until, clock.now(), timeZone);
    // By a clock that was set back everything has been made.
    if (days.length === 0) await db.write((tx) => keepMade(tx, organisationId, begun.made_until, true));
    for (const [i, day] of days.entries()) {
      if (isStopped) return;
      const isLast = i === days.length - 1;
      await db.write(async (tx) => {
        await liveThroughDay(tx, day, isLast);
        await keepMade(tx, organisationId, day.until, isLast);
      });
    }
    logger.info("The demo's two weeks were made.", { days: days.length, made_ms: Math.round(elapsedMs()) });
  }

  return {
    /**
     * Before anything else calls: what the past left to do is for the past to do. False where it was stopped on the
     * way.
     */
    async make(): Promise<boolean> {
      try {
        await makeDays();
      } catch (error) {
        // Without the rest of its past the demo is still worth having.
        logger.error("The demo's past could not be made whole; that is tried again at the next start.", {
          error: messageOf(error),
        });
      }
      isMaking = false;
      return !isStopped;
    },

    isMaking: () => isMaking,

    /** The day under way is finished, and no other begun. */
    stop(): void {
      isStopped = true;
    },

    /** Null where nothing is being made. */
    async progress(): Promise<{ day: number; days: number } | null> {
      if (!isMaking) return null;
      const begun = await historyOf(db.reader, organisationId);
      return !begun || begun.is_whole ? null : progressOf(begun.begins_at, begun.made_until);
    },
  };
}

export type History = ReturnType<typeof createHistory>;
