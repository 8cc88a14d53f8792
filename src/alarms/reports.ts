// Lines about alarms that are not stored: in the log and, if it is set up, in syslog.
import type { Logger } from "../core/logger.ts";
import type { createDirect } from "./direct.ts";
import { lineOf, type AlarmLine } from "./message.ts";
import type { News } from "./news.ts";

export interface ReportsDeps {
  logger: Logger;
  direct: Pick<ReturnType<typeof createDirect>, "send">;
  /** Null if syslog is not set up. */
  syslog: ((line: AlarmLine) => Promise<void>) | null;
}

export function createReports({ logger, direct, syslog }: ReportsDeps) {
  function sayInSyslog(line: AlarmLine): void {
    if (syslog) direct.send("syslog", () => syslog(line));
  }

  function tellLog(news: News): void {
    const line = lineOf(news);
    const { fault, subject, severity, state } = line;
    sayInSyslog(line);
    const fields = { alarm: news.alarm.id, fault, subject, severity };
    if (state === "over") logger.info("An alarm is over.", fields);
    else logger.warn("An alarm is open.", fields);
  }

  return { sayInSyslog, tellLog };
}

export type Reports = ReturnType<typeof createReports>;
