// Open and past alarms for the dashboard, and the test message.
import { allOrganisations } from "../accounts/organisation-store.ts";
import type { Audit } from "../accounts/audit.ts";
import type { Config } from "../config/schema.ts";
import type { Actor } from "../core/actor.ts";
import { MINUTE_MS, toIso, toIsoOrNull, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { MailQueue } from "../mail/mail-queue.ts";
import { openAlarmsOf, pastAlarmsOf } from "./alarm-store.ts";
import { severityOf } from "./faults.ts";
import type { Alarm } from "./records.ts";
import { ALARM_LANGUAGES, wordsOf, type AlarmLanguage, type AlarmWords } from "./words.ts";

const MOST_OPEN = 100;
const MOST_PAST = 20;
/** A test message helps once. */
const TEST_EVERY_MS = MINUTE_MS;

export interface AlarmListDeps {
  config: Pick<Config, "mail" | "base_url">;
  db: Database;
  clock: Clock;
  audit: Audit;
  mails: MailQueue;
}

export function createAlarmList({ config, db, clock, audit, mails }: AlarmListDeps) {
  let testedAtMs = -Infinity;
  return {
    /** Of the appliance and of this organisation. The only organisation also sees what concerns only the operator. */
    async list(organisationId: string) {
      const isOperator = (await allOrganisations(db.reader)).length === 1;
      const [open, past] = await Promise.all([
        openAlarmsOf(db.reader, organisationId, isOperator, MOST_OPEN),
        pastAlarmsOf(db.reader, organisationId, isOperator, MOST_PAST),
      ]);
      return { open: open.map(viewOf), past: past.map(viewOf), mail_to: mails.alarmsTo.length };
    },

    /** One to each address of mail.alarms_to. */
    async sendTest(organisationId: string, actor: Actor): Promise<number> {
      if (mails.alarmsTo.length === 0)
        throw new AppError("CONFLICT", "No address gets alarms yet. Set mail.host and mail.alarms_to, then restart.");
      const now = clock.elapsedMs();
      if (now - testedAtMs < TEST_EVERY_MS)
        throw new AppError("RATE_LIMITED", "A test message was sent just now. Try again in a minute.", {
          retryAfterSeconds: Math.ceil(TEST_EVERY_MS / 1_000),
        });
      testedAtMs = now;
      await db.write(async (tx) => {
        for (const to of mails.alarmsTo) await mails.add(tx, { kind: "test", to, ...testMail(config) });
        await audit.record(tx, { organisationId, actor, action: "alarm.tested" });
      });
      mails.wake();
      return mails.alarmsTo.length;
    },
  };
}

export type AlarmList = ReturnType<typeof createAlarmList>;

const TEST_WORDS = {
  en: ["[Ringward] Test message", "Alarms of this appliance arrive at this address:"],
  hi: ["[Ringward] परीक्षण संदेश", "इस मशीन के अलार्म इस पते पर आते हैं:"],
} as const;

export function testMail({ mail, base_url }: Pick<Config, "mail" | "base_url">) {
  const [subject, text] = TEST_WORDS[mail.language];
  return { subject, text: `${text} ${new URL(base_url).host}\n` };
}

const viewOf = ({ id, fault, subject, step, told_step, facts, opened_at, over_at }: Alarm) => {
  const gravest = over_at === null ? step : Math.max(step, told_step);
  const words = ALARM_LANGUAGES.map((language) => [language, wordsOf(language, fault, facts, gravest)] as const);
  return {
    alarm_id: id,
    fault,
    subject: subject === "" ? null : subject,
    severity: severityOf(fault, gravest),
    words: Object.fromEntries(words) as Record<AlarmLanguage, AlarmWords>,
    opened_at: toIso(opened_at),
    over_at: toIsoOrNull(over_at),
  };
};
