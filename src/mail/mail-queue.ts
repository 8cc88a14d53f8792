// Queue of e-mails: stored with the change that causes them, sent one after the other, retried until they expire.
import type { Config } from "../config/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from "../core/clock.ts";
import type { DueSource } from "../core/due-source.ts";
import { messageOf } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import type { MailKind } from "../payloads/mail.ts";
import { MailFault } from "./mail-fault.ts";
import { countMails, deleteMail, insertMail, nextMail, oldestMailAt, putOffMail } from "./mail-store.ts";
import type { WaitingMail } from "./records.ts";
import type { Mail, Smtp } from "./smtp.ts";

/** A day without a mail server, and an alarm every few minutes. */
const MOST_WAITING = 500;
/** After each failed attempt; the last one repeats until the mail expires. */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];
/** Older news helps no one. */
export const MAIL_LIFE_MS = 2 * DAY_MS;

const purposeOf = (id: string): string => `mail/${id}`;

export interface NewMail extends Mail {
  kind: MailKind;
  /** Not sent after this; two days unless given. */
  lifeMs?: number;
}

export interface MailQueueDeps {
  config: Pick<Config, "mail">;
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  secrets: SecretBox;
  wake: (dueAt?: number) => void;
}

export function createMailQueue(deps: MailQueueDeps) {
  const { config, clock, ids, logger, secrets, wake } = deps;
  const isSetUp = config.mail.host !== "";
  return {
    isSetUp,
    alarmsTo: isSetUp ? config.mail.alarms_to : [],
    /** In the transaction of its cause. Returns false if e-mail is not set up, or the queue is full. */
    async add(tx: Tx, { kind, lifeMs = MAIL_LIFE_MS, to, subject, text }: NewMail): Promise<boolean> {
      if (!isSetUp) return false;
      if ((await countMails(tx)) >= MOST_WAITING) {
        logger.error("An e-mail is dropped, because too many wait for the mail server.", { kind });
        return false;
      }
      const id = ids.next("mail");
      const now = clock.now();
      await insertMail(tx, {
        id,
        kind,
        sealed: secrets.seal(JSON.stringify({ to, subject, text } satisfies Mail), purposeOf(id)),
        attempts: 0,
        next_at: now,
        expires_at: now + lifeMs,
        created_at: now,
      });
      return true;
    },
    wake: () => wake(),
  };
}

export type MailQueue = ReturnType<typeof createMailQueue>;

export interface MailLoopDeps extends Pick<MailQueueDeps, "db" | "clock" | "logger" | "secrets" | "wake"> {
  metrics: Metrics;
  /** Null if e-mail is not set up: mails of an earlier set-up expire. */
  smtp: Smtp | null;
}

export function createMailLoop(deps: MailLoopDeps): DueSource & { stop(): Promise<void> } {
  const { db, clock, logger, secrets, wake, smtp, metrics } = deps;
  const sent = metrics.counter("ringward_mails_sent_total", "E-mails that the mail server took, by kind.");
  const lost = metrics.counter("ringward_mails_lost_total", "E-mails that were refused or expired, by kind.");
  let oldestAt: number | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  /** Taken by the server, but still in the table, because the database could not be written. */
  const taken = new Set<string>();
  metrics.gauge("ringward_mail_oldest_waiting_seconds", "How long the oldest e-mail has waited; 0: none waits.", () =>
    oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1_000,
  );

  /** Sends what is due. A slow server delays only e-mails, because the scheduler does not wait. */
  async function sendDue(): Promise<void> {
    for (let mail = await due(); mail && !isStopped; mail = await due()) await sendOne(mail);
    oldestAt = await oldestMailAt(db.reader);
  }

  async function due(): Promise<WaitingMail | undefined> {
    const mail = await nextMail(db.reader);
    return mail && mail.next_at <= clock.now() ? mail : undefined;
  }

  async function sendOne(row: WaitingMail): Promise<void> {
    const { id, kind } = row;
    if (row.expires_at <= clock.now()) return giveUp(row, "It is too late for it.");
    const mail = opened(row);
    if (!mail) return giveUp(row, "The secret key does not open it.");
    try {
      if (smtp && !taken.has(id)) await smtp.send(mail, id);
      taken.add(id);
    } catch (error) {
      if (error instanceof MailFault && error.isFinal) return giveUp(row, error.message);
      return putOff(row, messageOf(error));
    }
    if (!smtp) return giveUp(row, "E-mail is no longer set up.");
    await db.write((tx) => deleteMail(tx, id));
    taken.delete(id);
    sent.add({ kind });
  }

  function opened({ id, sealed }: WaitingMail): Mail | null {
    try {
      return JSON.parse(secrets.open(sealed, purposeOf(id))) as Mail;
    } catch {
      return null;
    }
  }

  async function giveUp({ id, kind, attempts }: WaitingMail, reason: string): Promise<void> {
    lost.add({ kind });
    logger.error("An e-mail was not sent.", { mail: id, kind, attempts, reason });
    await db.write((tx) => deleteMail(tx, id));
  }

  async function putOff({ id, kind, attempts }: WaitingMail, reason: string): Promise<void> {
    const afterMs = RETRY_AFTER_MS[Math.min(attempts, RETRY_AFTER_MS.length - 1)] ?? HOUR_MS;
    logger.warn("An e-mail could not be sent yet.", { mail: id, kind, attempts: attempts + 1, reason });
    await db.write((tx) => putOffMail(tx, id, attempts + 1, clock.now() + afterMs));
  }

  return {
    name: "e-mail",
    async runDue() {
      if (isStopped || running) return null;
      const next = await nextMail(db.reader);
      if (!next) {
        oldestAt = null;
        return null;
      }
      if (next.next_at > clock.now()) return next.next_at;
      running = sendDue()
        .then(() => (running = null))
        .then(() => !isStopped && wake())
        // No wake-up: without a database, the next round of the scheduler is soon enough.
        .catch((error: unknown) => logger.error("E-mails could not be sent.", { error: messageOf(error) }))
        .then(() => void (running = null));
      return null;
    },
    async stop() {
      isStopped = true;
      smtp?.stop();
      await running;
    },
  };
}
