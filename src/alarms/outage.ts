// What people are told while the database cannot be written. It is kept in memory until it can be stored.
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Smtp } from "../mail/smtp.ts";
import type { Severity } from "../payloads/alarm.ts";
import { severityOf } from "./faults.ts";
import { lineOf, mailOf } from "./message.ts";
import type { Alarm } from "./records.ts";
import type { Reports, ReportsDeps } from "./reports.ts";
import { keyOf, type Trouble } from "./sight.ts";
import type { TellingDeps } from "./telling.ts";

export interface OutageDeps extends Pick<TellingDeps, "config" | "mails">, Pick<ReportsDeps, "direct"> {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  smtp: Smtp | null;
  reports: Pick<Reports, "sayInSyslog">;
}

/** Told while the database could not be written, and not stored yet. */
export type Unstored = Pick<Alarm, "step" | "opened_at"> & { trouble: Trouble };

export function createOutage({ config, clock, ids, logger, mails, smtp, direct, reports }: OutageDeps) {
  const unstored = new Map<string, Unstored>();

  function tell(trouble: Trouble, openedAt: number): void {
    const { fault, subject, step, facts } = trouble;
    const alarm = { fault, subject, step, facts, opened_at: openedAt, told_step: 0, over_at: null };
    const message = mailOf({ alarm, state: "open", flaps: 0 }, config.mail.language, config.dashboard_url);
    for (const to of mails.alarmsTo) {
      const id = ids.next("mail");
      direct.send("e-mail", async () => smtp?.send({ to, ...message }, id));
    }
    reports.sayInSyslog(lineOf({ alarm, state: "open" }));
    logger.error("An alarm is open.", { fault, subject, severity: severityOf(fault, step) });
  }

  return {
    /** By key. */
    unstored,
    troubles: (): Trouble[] => [...unstored.values()].map(({ trouble }) => trouble),
    count: (severity: Severity): number =>
      [...unstored.values()].filter(({ trouble: { fault }, step }) => severityOf(fault, step) === severity).length,
    /** The disk is full, or PostgreSQL is away: e-mail and syslog need neither. `open`: the alarms that are stored. */
    tellWithoutDatabase(held: readonly Trouble[], open: readonly Alarm[]): void {
      for (const trouble of held) {
        const key = keyOf(trouble);
        const stored = open.find((alarm) => keyOf(alarm) === key);
        const known = unstored.get(key);
        if (trouble.step <= Math.max(stored?.told_step ?? 0, known?.step ?? 0)) continue;
        const openedAt = stored?.opened_at ?? known?.opened_at ?? clock.now();
        unstored.set(key, { trouble, step: trouble.step, opened_at: openedAt });
        tell(trouble, openedAt);
      }
    },
  };
}
