// Stores what a carrier reports: the reports of one call in their order, each tried until it is on disk.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Command } from "../../db/database.ts";

export interface Report {
  name: string;
  store: Command<void>;
  /** Runs once it is on disk. */
  stored?: () => void;
}

/** A full disk must not lose what a carrier reported: it is tried until it is stored or the process ends. */
const TRY_AGAIN_MS = SECOND_MS;

export function createReportQueue(deps: { db: Database; clock: Clock; logger: Logger }) {
  const { db, clock, logger } = deps;
  /** Of each call, the report that is being stored and those behind it: an end stored before its answer would not fit. */
  const waiting = new Map<string, Report[]>();

  function storeNext(callId: string, reports: Report[]): void {
    const [report] = reports;
    if (!report) {
      waiting.delete(callId);
      return;
    }
    db.write(report.store).then(
      () => {
        reports.shift();
        storeNext(callId, reports);
        report.stored?.();
      },
      (error: unknown) => {
        logger.error("A carrier's report could not be stored; it is tried again.", {
          report: report.name,
          error: messageOf(error),
        });
        clock.after(TRY_AGAIN_MS, () => storeNext(callId, reports));
      },
    );
  }

  return (callId: string, report: Report): void => {
    const reports = waiting.get(callId);
    if (reports) {
      reports.push(report);
      return;
    }
    const alone = [report];
    waiting.set(callId, alone);
    storeNext(callId, alone);
  };
}
