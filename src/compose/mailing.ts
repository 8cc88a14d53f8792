// The ways by which the appliance reaches people: e-mail and syslog.
import type { AlarmLine } from "../alarms/message.ts";
import { ConfigError } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { createMailLoop, type MailLoopDeps } from "../mail/mail-queue.ts";
import { createSmtp, type Smtp } from "../mail/smtp.ts";
import type { Services } from "./services.ts";
import { syslogOf } from "./syslog.ts";

export interface MailingDeps extends Omit<MailLoopDeps, "smtp" | "secrets"> {
  config: Config;
  services: Pick<Services, "secrets">;
}

export function createMailing(deps: MailingDeps) {
  const { config, clock, services } = deps;
  const smtp = smtpOf(config, clock);
  return {
    smtp,
    loop: createMailLoop({ ...deps, secrets: services.secrets, smtp }),
    syslog: syslogWith(config, clock),
  };
}

/** Null if e-mail is not set up. A bad CA file is a configuration error. */
export function smtpOf(config: Config, clock: Clock): Smtp | null {
  if (config.mail.host === "") return null;
  try {
    return createSmtp(config, clock);
  } catch (error) {
    throw new ConfigError([`mail: ${messageOf(error)}`]);
  }
}

function syslogWith(config: Config, clock: Clock): ((line: AlarmLine) => Promise<void>) | null {
  const client = syslogOf(config);
  if (!client) return null;
  return ({ severity, state, fault, subject, text }) =>
    client.send({
      facility: "daemon",
      severity: state === "over" ? "notice" : severity,
      at: clock.now(),
      msgId: state === "over" ? "ALARM_OVER" : "ALARM",
      data: { alarm: { fault, subject: subject === "" ? null : subject } },
      text,
    });
}
