// Messages about alarms: an e-mail, an event and a line of syslog from the same news.
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { Severity } from "../payloads/alarm.ts";
import type { AlarmEvent } from "../payloads/alarm-event.ts";
import { severityOf } from "./faults.ts";
import type { News } from "./news.ts";
import type { Alarm } from "./records.ts";
import { wordsOf, type AlarmLanguage } from "./words.ts";

/** What a message needs of an alarm; also of one that could not be stored. */
export type Told = Pick<Alarm, "fault" | "subject" | "step" | "told_step" | "facts" | "opened_at" | "over_at">;

export interface AlarmLine {
  severity: Severity;
  state: News["state"];
  fault: Alarm["fault"];
  subject: string;
  text: string;
}

const FRAME = {
  en: {
    open: (severity: Severity) => (severity === "critical" ? "Alarm" : "Warning"),
    over: "Over",
    since: "Since",
    until: "Over since",
    flaps: (count: number) => `It came and went ${count} ${count === 1 ? "time" : "times"} since the last message.`,
    where: "Appliance",
    all: "All alarms",
  },
  hi: {
    open: (severity: Severity) => (severity === "critical" ? "अलार्म" : "चेतावनी"),
    over: "ख़त्म",
    since: "कब से",
    until: "कब ख़त्म",
    flaps: (count: number) => `पिछले संदेश के बाद यह ${count} बार आया और गया।`,
    where: "मशीन",
    all: "सभी अलार्म",
  },
} as const;

/** The gravest step counts: an alarm that was critical ends as one. */
const stepOf = ({ step, told_step }: Told): number => Math.max(step, told_step, 1);

export function mailOf(
  { alarm, state, flaps }: Omit<News, "alarm"> & { alarm: Told },
  language: AlarmLanguage,
  dashboardUrl: string,
): { subject: string; text: string } {
  const { title, action } = wordsOf(language, alarm.fault, alarm.facts, stepOf(alarm));
  const frame = FRAME[language];
  const mark = state === "over" ? frame.over : frame.open(severityOf(alarm.fault, stepOf(alarm)));
  const lines = [
    title,
    ...(state === "over" ? [] : [action]),
    "",
    `${frame.since}: ${toIso(alarm.opened_at)}`,
    ...(alarm.over_at === null ? [] : [`${frame.until}: ${toIso(alarm.over_at)}`]),
    ...(flaps === 0 ? [] : [frame.flaps(flaps)]),
    `${frame.where}: ${new URL(dashboardUrl).host}`,
    `${frame.all}: ${dashboardUrl}/settings/system`,
  ];
  return { subject: `[Ringward] ${mark}: ${title}`, text: `${lines.join("\n")}\n` };
}

export function eventOf({ alarm, flaps }: News): AlarmEvent {
  const step = stepOf(alarm);
  const { title, action } = wordsOf("en", alarm.fault, alarm.facts, step);
  return {
    alarm_id: alarm.id,
    fault: alarm.fault,
    severity: severityOf(alarm.fault, step),
    subject: alarm.subject === "" ? null : alarm.subject,
    message: title,
    action,
    opened_at: toIso(alarm.opened_at),
    over_at: toIsoOrNull(alarm.over_at),
    flaps,
  };
}

export function lineOf({ alarm, state }: Pick<News, "state"> & { alarm: Told }): AlarmLine {
  const step = stepOf(alarm);
  const { title } = wordsOf("en", alarm.fault, alarm.facts, step);
  const { fault, subject } = alarm;
  return { severity: severityOf(fault, step), state, fault, subject, text: title };
}
