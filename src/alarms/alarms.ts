// Alarms: compares what is wrong with what was told, and tells people once of each fault and once when it is over. Only
// the server that holds the lock of the database runs this, so one process tells.
import { DAY_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/database.ts";
import { SEVERITIES } from "../payloads/alarm.ts";
import type { Smtp } from "../mail/smtp.ts";
import { deletePastAlarms, openAlarms } from "./alarm-store.ts";
import { createDirect } from "./direct.ts";
import { severityOf } from "./faults.ts";
import { createHysteresis } from "./hysteresis.ts";
import { createOutage } from "./outage.ts";
import type { Alarm } from "./records.ts";
import { createReports, type ReportsDeps } from "./reports.ts";
import { createSettling } from "./settling.ts";
import { keyOf, type Sight, type Trouble } from "./sight.ts";
import { createTelling, type TellingDeps } from "./telling.ts";

export interface AlarmsDeps extends TellingDeps, Pick<ReportsDeps, "syslog"> {
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  metrics: Metrics;
  smtp: Smtp | null;
  /** Looks at everything once. `canWrite`: the database takes writes. */
  observe: () => Promise<{ sight: Sight; canWrite: boolean }>;
}

const LOOK_EVERY_MS = 15 * SECOND_MS;
const KEPT_MS = 90 * DAY_MS;
const MOST_KEPT = 2_000;

export function createAlarms(deps: AlarmsDeps) {
  const { db, clock, ids, logger, metrics, mails, observe } = deps;
  const hysteresis = createHysteresis();
  const direct = createDirect(deps);
  const reports = createReports({ ...deps, direct });
  const outage = createOutage({ ...deps, direct, reports });
  const settling = createSettling({ ids, telling: createTelling(deps) });
  /** As stored; null until it was read. */
  let open: Alarm[] | null = null;
  /** An earlier run, or the limit of messages per hour, may have left news untold. */
  let mayHaveNews = true;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  metrics.gauges("ringward_alarms_open", "Open alarms, by severity.", () =>
    SEVERITIES.map((severity) => ({
      labels: { severity },
      value:
        (open ?? []).filter(({ fault, step }) => severityOf(fault, step) === severity).length + outage.count(severity),
    })),
  );

  async function look(): Promise<void> {
    const { sight, canWrite } = await observe();
    open ??= await openAlarms(db.reader);
    const known = [...open.map(troubleOf), ...outage.troubles()];
    const { held, over } = hysteresis.look(sight, known, clock.elapsedMs());
    if (canWrite) await settle(held, over);
    else outage.tellWithoutDatabase(held, open);
  }

  async function settle(held: readonly Trouble[], over: readonly string[]): Promise<void> {
    const { unstored } = outage;
    const present = new Map((open ?? []).map((alarm) => [keyOf(alarm), alarm]));
    const begun = held.filter((trouble) => present.get(keyOf(trouble))?.step !== trouble.step);
    if (begun.length + over.length + unstored.size === 0 && !mayHaveNews) return;
    const now = clock.now();
    const told = await db.write(async (tx) => {
      const found = await settling.settleWithin(tx, { begun, over: new Set(over), unstored, now });
      await deletePastAlarms(tx, now - KEPT_MS, MOST_KEPT);
      return { ...found, open: await openAlarms(tx) };
    });
    unstored.clear();
    ({ open } = told);
    mayHaveNews = told.isLeft;
    for (const news of told.news) reports.tellLog(news);
    if (told.news.length > 0) mails.wake();
  }

  function plan(): void {
    if (isStopped) return;
    cancel = clock.after(LOOK_EVERY_MS, () => {
      running = look()
        .catch((error: unknown) => logger.error("Alarms could not be checked.", { error: messageOf(error) }))
        .then(plan);
    });
  }

  return {
    look,
    /** Independent of the scheduler, because a scheduler that does not respond is a fault as well. */
    start: plan,
    async stop(): Promise<void> {
      isStopped = true;
      cancel();
      direct.stop();
      await running;
    },
  };
}

export type Alarms = ReturnType<typeof createAlarms>;

const troubleOf = ({ fault, subject, step, audience, organisation_id, facts }: Alarm): Trouble => ({
  fault,
  subject,
  step,
  audience,
  organisationId: organisation_id,
  facts,
});
