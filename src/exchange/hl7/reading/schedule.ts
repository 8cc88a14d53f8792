// The appointment of a SIU message: time, length, status, practitioner (SCH, TQ1, AIS, AIL, AIP, AIG, PV1).
import type { MirroredStatus, Practitioner } from "../../mirror/port.ts";
import { Hl7Fault, type Place } from "../message/fault.ts";
import { partOf, type Message, type Segment } from "../message/message.ts";
import { readTime } from "../message/time.ts";
import { cleaned } from "./patient.ts";

const STATUS_OF_TRIGGER: Readonly<Record<string, MirroredStatus>> = {
  S15: "cancelled",
  S17: "cancelled",
  S26: "no_show",
};

/** SCH-25, table 0278, and words that senders use beside it. A place on a waiting list is no appointment any more. */
const STATUS_OF_WORD: Readonly<Record<string, MirroredStatus>> = {
  CANCELLED: "cancelled",
  CANCELED: "cancelled",
  CANCEL: "cancelled",
  DC: "cancelled",
  DISCONTINUED: "cancelled",
  DELETED: "cancelled",
  BLOCKED: "cancelled",
  WAITLIST: "cancelled",
  COMPLETE: "completed",
  COMPLETED: "completed",
  NOSHOW: "no_show",
  NS: "no_show",
};

/** The trigger decides; where it is a booking or a change, SCH-25 does. */
export function statusOf(message: Message, trigger: string): MirroredStatus {
  const fixed = STATUS_OF_TRIGGER[trigger];
  if (fixed !== undefined) return fixed;
  const schedule = message.first("SCH");
  const word = message.value(schedule, 25) || message.value(schedule, 25, 2);
  return STATUS_OF_WORD[word.toUpperCase().replaceAll(/[\s_-]/g, "")] ?? "confirmed";
}

interface Candidate {
  segment: Segment | undefined;
  field: number;
  component: number;
}

export interface ReadTimes {
  startsAt: number | undefined;
  endsAt: number | undefined;
}

/** Throws a Hl7Fault where a time is there and cannot be read. */
export function timesOf(message: Message, zone: string, minutes: number): ReadTimes {
  const schedule = message.first("SCH");
  const timing = message.first("TQ1");
  const resource = (name: string, field: number) => ({ segment: message.first(name), field, component: 1 });
  const starts: Candidate[] = [
    { segment: schedule, field: 11, component: 4 },
    { segment: timing, field: 7, component: 1 },
    resource("AIS", 4),
    resource("AIG", 8),
    resource("AIL", 6),
    resource("AIP", 6),
  ];
  const startsAt = firstTime(message, starts, zone);
  if (startsAt === undefined) return { startsAt: undefined, endsAt: undefined };
  const ends: Candidate[] = [
    { segment: schedule, field: 11, component: 5 },
    { segment: timing, field: 8, component: 1 },
  ];
  const endsAt = firstTime(message, ends, zone);
  if (endsAt !== undefined && endsAt > startsAt) return { startsAt, endsAt };
  return { startsAt, endsAt: startsAt + (lengthOf(message) ?? minutes) * 60_000 };
}

function firstTime(message: Message, candidates: readonly Candidate[], zone: string): number | undefined {
  for (const { segment, field, component } of candidates) {
    const text = message.value(segment, field, component);
    if (!segment || text === "" || text === '""') continue;
    const time = readTime(text, zone);
    if (time === null) throw noTime({ segment: segment.name, sequence: segment.sequence, field });
    return time;
  }
  return undefined;
}

const noTime = (place: Place) =>
  new Hl7Fault("AE", 102, place, "The time must be YYYYMMDDHHMM, with or without seconds and offset.");

const LONGEST_MINUTES = 1_440;

/** Minutes: SCH-11.3 (M30), SCH-9 and 10, AIS-7 and 8. */
function lengthOf(message: Message): number | null {
  const schedule = message.first("SCH");
  const service = message.first("AIS");
  const [, unit = "", count = ""] = /^([SMHDW])(\d{1,5})$/i.exec(message.value(schedule, 11, 3)) ?? [];
  const choices: (number | null)[] = [
    minutesOf(message.value(schedule, 9), message.value(schedule, 10)),
    minutesOf(count, unit),
    minutesOf(message.value(service, 7), message.value(service, 8)),
  ];
  return choices.find((minutes) => minutes !== null) ?? null;
}

function minutesOf(text: string, unit: string): number | null {
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(text)) return null;
  const minutes = Number(text) * (FACTORS[unit.toUpperCase().charAt(0)] ?? 1);
  return minutes > 0 && minutes <= LONGEST_MINUTES ? Math.max(1, Math.round(minutes)) : null;
}
const FACTORS: Readonly<Record<string, number>> = { S: 1 / 60, M: 1, H: 60, D: 1_440 };

const LONGEST_ID = 100;
const LONGEST_NAME = 200;

/** AIP-3, otherwise the attending or referring doctor of PV1 (XCN: id, family name, given name …). */
export function practitionerOf(message: Message): Practitioner | null | undefined {
  const visit = message.first("PV1");
  const places: [Segment | undefined, number][] = [
    ...message.all("AIP").map((aip): [Segment, number] => [aip, 3]),
    [visit, 7],
    [visit, 9],
  ];
  for (const [segment, field] of places) {
    if (segment && message.isDeleted(segment, field)) return null;
    const [xcn] = message.repetitions(segment, field);
    const id = cleaned(partOf(xcn, 1), LONGEST_ID);
    const parts = [6, 3, 4, 2, 5].map((number) => partOf(xcn, number)).filter((text) => text !== "" && text !== '""');
    const name = cleaned(parts.join(" "), LONGEST_NAME);
    if (id !== "" || name !== "") return { id: id || null, name: name || null };
  }
  return undefined;
}
