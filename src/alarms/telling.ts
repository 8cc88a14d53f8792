// Tells people what is new about an alarm, in the transaction that stores that they were told.
import { allOrganisations } from "../accounts/organisation-store.ts";
import type { Config } from "../config/schema.ts";
import type { Tx } from "../db/tables.ts";
import type { Outbox } from "../events/outbox.ts";
import type { MailQueue } from "../mail/mail-queue.ts";
import { eventOf, mailOf } from "./message.ts";
import type { News } from "./news.ts";

export interface TellingDeps {
  config: Pick<Config, "mail" | "dashboard_url">;
  mails: MailQueue;
  outbox: Outbox;
}

export function createTelling({ config, mails, outbox }: TellingDeps) {
  async function mail(tx: Tx, news: News): Promise<void> {
    const message = mailOf(news, config.mail.language, config.dashboard_url);
    for (const to of mails.alarmsTo) await mails.add(tx, { kind: "alarm", to, ...message });
  }

  /** An organisation learns of the appliance and of its own trunks and endpoints, never of another's. */
  async function publish(tx: Tx, news: News): Promise<void> {
    const { audience, organisation_id, id } = news.alarm;
    const type = news.state === "open" ? "appliance.alarm" : "appliance.alarm_over";
    const all = audience === "all" ? (await allOrganisations(tx)).map((each) => each.id) : [];
    const receivers = organisation_id === null ? all : [organisation_id];
    for (const organisationId of receivers)
      await outbox.publish(tx, { organisationId, type, data: eventOf(news), orderKey: id });
  }

  return { mail, publish };
}

export type Telling = ReturnType<typeof createTelling>;
