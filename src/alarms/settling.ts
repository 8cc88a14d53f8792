// Stores which alarms began and ended, and tells the news of them, in one transaction. A repeat of the transaction
// finds the same: nothing outside it is changed.
import type { Ids } from "../core/ids.ts";
import type { Tx } from "../db/tables.ts";
import { alarmsAbout, insertAlarm, openAlarms, overUntold, updateAlarm } from "./alarm-store.ts";
import { isUntold, newsOf, toldChange, type News } from "./news.ts";
import type { Unstored } from "./outage.ts";
import type { Alarm } from "./records.ts";
import { keyOf, type Trouble } from "./sight.ts";
import type { Telling } from "./telling.ts";

/** More than the flaps of an hour. */
const MOST_READ = 100;

export interface Settlement {
  /** Troubles without an open alarm, or whose alarm has another step. */
  begun: readonly Trouble[];
  /** Keys of alarms that are over. */
  over: ReadonlySet<string>;
  unstored: ReadonlyMap<string, Unstored>;
  now: number;
}

type Subject = Pick<Alarm, "fault" | "subject">;
type ByKey<Value> = Map<string, Value>;

export function createSettling({ ids, telling }: { ids: Ids; telling: Telling }) {
  /** Returns the news that was told, and whether there is more that the limit of messages per hour holds back. */
  async function settleWithin(tx: Tx, settlement: Settlement): Promise<{ news: News[]; isLeft: boolean }> {
    const stored = new Map((await openAlarms(tx)).map((alarm) => [keyOf(alarm), alarm]));
    const subjects = await untoldSubjects(tx, stored);
    await storeUnstored(tx, stored, settlement);
    await storeBegun(tx, stored, subjects, settlement);
    await storeOver(tx, stored, subjects, settlement);
    return tellNews(tx, [...subjects.values()], settlement.now);
  }

  /** Adds them to `stored`. E-mail and syslog were told at once; the receivers of events were not. */
  async function storeUnstored(tx: Tx, stored: ByKey<Alarm>, { unstored, now }: Settlement): Promise<void> {
    for (const [key, { trouble, step, opened_at }] of unstored) {
      const known = stored.get(key);
      const told = { told_at: now, told_step: step };
      if (known) await updateAlarm(tx, known.id, { step, ...told });
      else {
        const row = { ...rowOf(trouble, opened_at), ...told };
        await insertAlarm(tx, row);
        stored.set(key, row);
        await telling.publish(tx, { alarm: row, state: "open", flaps: 0 });
      }
    }
  }

  async function storeBegun(
    tx: Tx,
    stored: ReadonlyMap<string, Alarm>,
    subjects: ByKey<Subject>,
    { begun, now }: Settlement,
  ): Promise<void> {
    for (const trouble of begun) {
      const key = keyOf(trouble);
      const known = stored.get(key);
      if (known) await updateAlarm(tx, known.id, { step: trouble.step });
      else await insertAlarm(tx, rowOf(trouble, now));
      subjects.set(key, trouble);
    }
  }

  async function tellNews(tx: Tx, subjects: readonly Subject[], now: number) {
    const news: News[] = [];
    let isLeft = false;
    for (const { fault, subject } of subjects) {
      const about = await alarmsAbout(tx, fault, subject, MOST_READ);
      const found = newsOf(about, now);
      if (!found) {
        isLeft ||= about.some(isUntold);
        continue;
      }
      await telling.mail(tx, found);
      await telling.publish(tx, found);
      for (const alarm of about.filter(isUntold)) await updateAlarm(tx, alarm.id, toldChange(alarm, now));
      news.push(found);
    }
    return { news, isLeft };
  }

  function rowOf({ fault, subject, audience, organisationId, step, facts }: Trouble, openedAt: number): Alarm {
    return {
      id: ids.next("alm"),
      fault,
      subject,
      audience,
      organisation_id: organisationId,
      step,
      facts,
      opened_at: openedAt,
      told_at: null,
      told_step: 0,
      over_at: null,
      over_told_at: null,
    };
  }

  return { settleWithin };
}

/** Subjects with news that an earlier transaction left untold. */
async function untoldSubjects(tx: Tx, stored: ReadonlyMap<string, Alarm>): Promise<ByKey<Subject>> {
  const subjects = new Map<string, Subject>();
  for (const alarm of [...stored.values(), ...(await overUntold(tx))]) {
    if (isUntold(alarm)) subjects.set(keyOf(alarm), alarm);
  }
  return subjects;
}

async function storeOver(
  tx: Tx,
  stored: ReadonlyMap<string, Alarm>,
  subjects: ByKey<Subject>,
  { over, now }: Settlement,
): Promise<void> {
  for (const [key, alarm] of stored) {
    if (!over.has(key)) continue;
    await updateAlarm(tx, alarm.id, { over_at: now });
    subjects.set(key, alarm);
  }
}
