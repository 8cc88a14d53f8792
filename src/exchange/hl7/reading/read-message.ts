// What a message says, as calls of the mirror. Reads only: nothing is looked up or changed here.
import type { Identifier, Merge, MirroredAppointment } from "../../mirror/port.ts";
import { Hl7Fault } from "../message/fault.ts";
import type { Message, Segment } from "../message/message.ts";
import { readTime } from "../message/time.ts";
import { isVersion, VERSIONS } from "../message/version.ts";
import type { Hl7Source } from "../settings.ts";
import { branchOf, serviceOf } from "./codes.ts";
import { cleaned, identifiersIn, nameOf, readPatient, type ReadPatient } from "./patient.ts";
import { practitionerOf, statusOf, timesOf } from "./schedule.ts";

export const TRIGGERS = {
  SIU: ["S12", "S13", "S14", "S15", "S17", "S26"],
  ADT: ["A08", "A40"],
} as const;

export type Understood =
  | { kind: "appointment"; appointment: MirroredAppointment; notes: readonly string[] }
  | { kind: "patient"; patient: ReadPatient; changedAt: number | null; notes: readonly string[] }
  | { kind: "merge"; merges: readonly Merge[]; changedAt: number | null; notes: readonly string[] };

/** Zone of a branch's times; of the organisation for null. */
export type ZoneOf = (branchId: string | null) => Promise<string>;

const LONGEST_EXTERNAL_ID = 200;

/** `SIU^S12`, from MSH-9 or, for senders that leave the event out, EVN-1. */
export function typeOf(message: Message): { type: string; trigger: string } {
  const header = message.first("MSH");
  const trigger = message.value(header, 9, 2) || message.value(message.first("EVN"), 1);
  return { type: message.value(header, 9, 1).toUpperCase(), trigger: trigger.toUpperCase() };
}

/** Throws a Hl7Fault for messages that this appliance takes from no sender. */
export function assertAccepted(message: Message): void {
  const header = message.first("MSH");
  if (message.isHeaderBroken)
    throw new Hl7Fault("AE", 100, { segment: "MSH" }, "The line after the MSH segment is no segment.");
  if (message.value(header, 10) === "")
    throw new Hl7Fault("AE", 101, { segment: "MSH", field: 10 }, "A message must have a control id.");
  const version = message.value(header, 12);
  if (!isVersion(version))
    throw new Hl7Fault("AR", 203, { segment: "MSH", field: 12 }, `The version must be ${VERSIONS.join(", ")}.`);
  const { type, trigger } = typeOf(message);
  const triggers: readonly string[] | undefined = type === "SIU" || type === "ADT" ? TRIGGERS[type] : undefined;
  if (!triggers) throw new Hl7Fault("AR", 200, { segment: "MSH", field: 9 }, "The message must be SIU or ADT.");
  if (!triggers.includes(trigger))
    throw new Hl7Fault("AR", 201, { segment: "MSH", field: 9 }, `The event of ${type} must be ${triggers.join(", ")}.`);
}

/** Throws a Hl7Fault where the content is at fault. */
export async function readMessage(message: Message, source: Hl7Source, zoneOf: ZoneOf): Promise<Understood> {
  const { trigger } = typeOf(message);
  if (trigger === "A40") return readMerge(message, source, zoneOf);
  if (trigger === "A08") return readUpdate(message, source, zoneOf);
  return readAppointment(message, trigger, source, zoneOf);
}

async function readAppointment(
  message: Message,
  trigger: string,
  { settings }: Hl7Source,
  zoneOf: ZoneOf,
): Promise<Understood> {
  const patients = message.all("PID");
  if (patients.length > 1)
    throw new Hl7Fault("AE", 100, { segment: "PID", sequence: 2 }, "An appointment must have one patient.");
  const [pid] = patients;
  const branch = branchOf(message, settings);
  const service = serviceOf(message, settings);
  const zone = settings.time_zone ?? (await zoneOf(branch.id ?? null));
  const { startsAt, endsAt } = timesOf(message, zone, settings.minutes ?? 15);
  const patient = pid ? readPatient(message, pid, settings) : null;
  const notes = [...message.notes];
  if (service.id === undefined && service.codes.length > 0)
    notes.push(`No service has the code ${quoted(service.codes)}.`);
  if (patient?.number === null && message.raw(pid, 13) !== '""')
    notes.push("The telephone number in PID-13 cannot be called.");
  const practitioner = practitionerOf(message);
  const appointment: MirroredAppointment = {
    externalId: externalIdOf(message, settings.external_id ?? "placer"),
    changedAt: await changedAtOf(message, settings.changed_at ?? "MSH-7", zone),
    status: statusOf(message, trigger),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
    ...(branch.id !== undefined && { branchId: branch.id }),
    ...(service.id !== undefined && { appointmentTypeId: service.id }),
    ...(practitioner !== undefined && { practitioner }),
    ...(patient?.name !== undefined && { contactName: patient.name }),
    ...(patient?.number !== undefined && { contactNumber: patient.number }),
    ...(patient?.email !== undefined && { contactEmail: patient.email }),
    ...(patient && patient.identifiers.length > 0 && { identifiers: patient.identifiers }),
  };
  assertComplete(appointment, branch.codes);
  return { kind: "appointment", appointment, notes };
}

/** A cancellation needs no more than the id. */
function assertComplete({ status, startsAt, branchId }: MirroredAppointment, codes: readonly string[]): void {
  if (status !== "confirmed") return;
  if (startsAt === undefined)
    throw new Hl7Fault("AE", 101, { segment: "SCH", field: 11 }, "The appointment has no time (SCH-11, TQ1-7, AIS-4).");
  if (branchId !== undefined) return;
  const reason =
    codes.length === 0
      ? "The message names no location, and the source has no default branch."
      : `No branch has the location code ${quoted(codes)}.`;
  throw new Hl7Fault("AE", 103, { segment: "AIL", field: 3 }, reason);
}

const quoted = (codes: readonly string[]): string => `"${cleaned(codes[0] ?? "", 50)}"`;

function externalIdOf(message: Message, choice: "placer" | "filler"): string {
  const schedule = message.first("SCH");
  if (!schedule) throw new Hl7Fault("AE", 100, { segment: "SCH" }, "The SCH segment is missing.");
  // The entity identifier alone: senders add the namespace in some messages and leave it out in others.
  const [placer, filler] = [message.value(schedule, 1), message.value(schedule, 2)];
  const id = choice === "placer" ? placer || filler : filler || placer;
  if (id === "" || id === '""')
    throw new Hl7Fault("AE", 101, { segment: "SCH", field: choice === "placer" ? 1 : 2 }, "The appointment has no id.");
  if (id.length > LONGEST_EXTERNAL_ID)
    throw new Hl7Fault(
      "AE",
      102,
      { segment: "SCH", field: 1 },
      `The id has more than ${LONGEST_EXTERNAL_ID} characters.`,
    );
  return cleaned(id, LONGEST_EXTERNAL_ID);
}

async function changedAtOf(message: Message, path: string, zone: string): Promise<number | null> {
  return readTime(message.at(path), zone, "day") ?? readTime(message.at("MSH-7"), zone, "day");
}

async function readUpdate(message: Message, { settings }: Hl7Source, zoneOf: ZoneOf): Promise<Understood> {
  const pid = message.first("PID");
  const patient = readPatient(message, pid, settings);
  assertIdentified(pid, patient.identifiers);
  const zone = settings.time_zone ?? (await zoneOf(null));
  const changedAt = await changedAtOf(message, settings.changed_at ?? "MSH-7", zone);
  return { kind: "patient", patient, changedAt, notes: message.notes };
}

function assertIdentified(pid: Segment | undefined, identifiers: readonly Identifier[]): void {
  if (!pid) throw new Hl7Fault("AE", 100, { segment: "PID" }, "The PID segment is missing.");
  if (identifiers.length === 0)
    throw new Hl7Fault("AE", 101, { segment: "PID", field: 3 }, "The patient has no identifier.");
}

/** Each is a transaction of its own. */
const MOST_MERGES = 20;

async function readMerge(message: Message, source: Hl7Source, zoneOf: ZoneOf): Promise<Understood> {
  const { settings } = source;
  const zone = settings.time_zone ?? (await zoneOf(null));
  const changedAt = await changedAtOf(message, settings.changed_at ?? "MSH-7", zone);
  const merges = mergesOf(message, source).map((merge) => ({ ...merge, changedAt }));
  return { kind: "merge", merges, changedAt, notes: message.notes };
}

/** Each PID with the MRG that follows it. An identifier goes to the surviving one of the same system. */
function mergesOf(message: Message, { settings }: Hl7Source): Merge[] {
  let pid: Segment | undefined;
  const merges: Merge[] = [];
  if (message.all("MRG").length > MOST_MERGES)
    throw new Hl7Fault("AE", 100, { segment: "MRG" }, `A message may have at most ${MOST_MERGES} MRG segments.`);
  for (const segment of message.segments) {
    if (segment.name === "PID") pid = segment;
    if (segment.name !== "MRG") continue;
    const surviving = identifiersIn(message, pid, 3, settings);
    assertIdentified(pid, surviving);
    const name = nameOf(message, pid, 5) ?? null;
    const prior = identifiersIn(message, segment, 1, settings);
    const place = { segment: "MRG", sequence: segment.sequence, field: 1 };
    if (prior.length === 0) throw new Hl7Fault("AE", 101, place, "The patient who is merged has no identifier.");
    for (const from of prior) {
      const to = surviving.find(({ system }) => system === from.system) ?? surviving[0];
      if (to && (to.system !== from.system || to.value !== from.value)) merges.push({ from, to, name });
    }
  }
  if (!message.first("MRG")) throw new Hl7Fault("AE", 100, { segment: "MRG" }, "The MRG segment is missing.");
  return merges;
}
