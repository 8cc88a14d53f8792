// Sends one e-mail over SMTP with TLS. Text only: no attachments, no HTML, nothing read from files or addresses.
import Mailer from "nodemailer/lib/mailer";
import SmtpTransport from "nodemailer/lib/smtp-transport";
import { readFileSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { inTime } from "../core/within.ts";
import { isLoopbackHost } from "../net/host-name.ts";
import { keptTrust } from "../net/tls.ts";
import { MailFault, faultOf } from "./mail-fault.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Smtp {
  /** `id` names the message: a server that gets it twice can drop the second. Rejects with a MailFault. */
  send(mail: Mail, id: string): Promise<void>;
  /** Ends what is being sent. */
  stop(): void;
}

const CONNECT_MS = 10 * SECOND_MS;
const SILENT_MS = 20 * SECOND_MS;
/** A server that sends a byte now and then is never silent. */
const LONGEST_MS = 60 * SECOND_MS;
/** Longest answer that is read from the server. */
const MOST_ANSWER_BYTES = 64 * 1024;
const LONGEST_SUBJECT = 200;
/** RFC 5321, section 4.5.3.1.3. */
const LONGEST_ADDRESS = 254;

export function createSmtp({ mail, base_url }: Pick<Config, "mail" | "base_url">, clock: Clock): Smtp {
  const caPem = mail.ca_file === "" ? null : readFileSync(mail.ca_file, "utf8");
  const transport = new SmtpTransport({
    host: mail.host,
    port: mail.port,
    secure: mail.security === "tls",
    requireTLS: mail.security === "starttls",
    ignoreTLS: mail.security === "plain",
    // In the greeting, instead of the machine's own name.
    name: new URL(base_url).hostname,
    tls: { secureContext: keptTrust(caPem), rejectUnauthorized: true, minVersion: "TLSv1.2" },
    ...(mail.username === "" ? {} : { auth: { user: mail.username, pass: mail.password } }),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    maxResponseSize: MOST_ANSWER_BYTES,
    allowInternalNetworkInterfaces: isLoopbackHost(mail.host),
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const mailer = new Mailer(transport);
  const underWay = new Set<AbortController>();
  const domain = mail.from.slice(mail.from.indexOf("@") + 1);

  return {
    async send({ to, subject, text }, id) {
      if (!isOneAddress(to)) throw new MailFault("refused", null, true);
      const abort = new AbortController();
      underWay.add(abort);
      const sent = mailer.sendMail({
        from: mail.from,
        to: { name: "", address: to },
        envelope: { from: mail.from, to: [to] },
        subject: oneLine(subject).slice(0, LONGEST_SUBJECT),
        text,
        messageId: `<${id}@${domain}>`,
        date: new Date(clock.now()),
        // RFC 3834: no holiday notices in return.
        headers: { "Auto-Submitted": "auto-generated" },
        xMailer: false,
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: abort.signal,
      });
      const late = () => new MailFault("timeout", null, false);
      try {
        await inTime(clock, LONGEST_MS, sent, late);
      } catch (error) {
        abort.abort();
        throw faultOf(error);
      } finally {
        underWay.delete(abort);
      }
    },
    stop: () => underWay.forEach((abort) => abort.abort()),
  };
}

/** The SMTP client would take a comma, a bracket or a space for the end of the address, and send to several. */
const isOneAddress = (text: string): boolean =>
  text.length <= LONGEST_ADDRESS && /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()[\]"\\\p{Cc}]+$/u.test(text);

/** A line break in a header would begin another header. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
