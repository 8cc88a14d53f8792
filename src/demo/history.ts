// Generates the demo's history, one day per transaction together with its progress. After a crash the next start
// continues with the first missing day; no day is generated twice.
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
  /** Runs services of its own on a past clock, in this transaction. */
  liveThroughDay: (tx: Tx, day: StoryDay, isLast: boolean) => Promise<void>;
}

export function createHistory({ db, clock, logger, hospital, liveThroughDay }: HistoryDeps) {
  let isStopped = false;
  /** True until it is known that nothing is left to generate. */
  let isMaking = true;
  const { organisationId, timeZone } = hospital;

  async function makeDays(): Promise<void> {
    const elapsedMs = stopwatch();
    const begun = await historyOf(db.reader, organisationId);
    if (!begun || begun.is_whole) return;
    const days = daysLeft(begun.begins_at, begun.made_until, clock.now(), timeZone);
    // With a clock set back, everything already exists.
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
    /** Runs before other callers, because it completes its own calls. False if it was stopped. */
    async make(): Promise<boolean> {
      try {
        await makeDays();
      } catch (error) {
        // The demo is useful even with a partial history.
        logger.error("The demo's past could not be made whole; that is tried again at the next start.", {
          error: messageOf(error),
        });
      }
      isMaking = false;
      return !isStopped;
    },

    isMaking: () => isMaking,

    /** Finishes the current day and starts no other. */
    stop(): void {
      isStopped = true;
    },

    /** Null while nothing is generated. */
    async progress(): Promise<{ day: number; days: number } | null> {
      if (!isMaking) return null;
      const begun = await historyOf(db.reader, organisationId);
      return !begun || begun.is_whole ? null : progressOf(begun.begins_at, begun.made_until);
    },
  };
}

export type History = ReturnType<typeof createHistory>;
