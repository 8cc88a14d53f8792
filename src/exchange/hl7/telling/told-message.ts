// The message that tells a source what a person said about their appointment: SIU S14 and S15 as facts, or SRM S03 and
// S04 as requests.
import type { Appointment } from "../../../payloads/appointment.ts";
import type { Identifier } from "../../mirror/port.ts";
import { headerOf, messageOf, segmentOf, type Value } from "../message/build.ts";
import { writeTime } from "../message/time.ts";
import { hasStructure } from "../message/version.ts";
import type { Hl7Settings } from "../settings.ts";

/** `withdrawn`: a wish that is not upheld any more. */
export const SAYINGS = ["confirmed", "cancel", "move", "withdrawn"] as const;
export type Saying = (typeof SAYINGS)[number];

/** Stored with the event. */
export interface Told {
  saying: Saying;
  /** The time that was asked for, in words. */
  text: string | null;
}

export interface ToldEvent {
  /** MSH-10; the same at each attempt, so the receiver knows a repetition. */
  controlId: string;
  at: number;
  told: Told;
  appointment: Pick<Appointment, "starts_at" | "ends_at" | "contact_name" | "contact_number"> & {
    external_id: string;
    contact_identifiers?: readonly Identifier[];
  };
}

/** Event reason (SCH-6, ARQ-6) and filler status (SCH-25). */
const WORDS: Readonly<Record<Saying, { reason: Value; status: string }>> = {
  confirmed: { reason: ["CONFIRMED", "Confirmed by the patient"], status: "Confirmed" },
  cancel: { reason: ["CANCEL", "Cancelled by the patient"], status: "Cancelled" },
  move: { reason: ["RESCHEDULE", "Another time was asked for by the patient"], status: "Reschedule" },
  withdrawn: { reason: ["WITHDRAWN", "The patient keeps the appointment"], status: "Booked" },
};

export function toldMessage(event: ToldEvent, settings: Hl7Settings): string {
  const { saying, text } = event.told;
  const isRequest = settings.tell?.as === "srm";
  const isCancel = saying === "cancel";
  const [type, trigger] = isRequest ? ["SRM", isCancel ? "S04" : "S03"] : ["SIU", isCancel ? "S15" : "S14"];
  return messageOf([
    header(event, settings, type, trigger, isRequest ? "SRM_S01" : "SIU_S12"),
    isRequest ? request(event, settings) : schedule(event, settings),
    ...(text === null ? [] : [segmentOf("NTE", ["1", null, text])]),
    patient(event, settings),
  ]);
}

function header(event: ToldEvent, settings: Hl7Settings, type: string, trigger: string, structure: string): string {
  const { version = "2.5.1", charset = "UNICODE UTF-8", application = "RINGWARD", facility = "" } = settings.tell ?? {};
  const kind: Value = hasStructure(version) ? [type, trigger, structure] : [type, trigger];
  const receiver = [settings.application, settings.facility ?? ""];
  const start: Value[] = [application, facility, ...receiver, writeTime(event.at), null, kind, event.controlId, "P"];
  return headerOf([...start, version, null, null, null, null, null, charset]);
}

/** The id in the field that the source uses. */
const idsOf = ({ appointment }: ToldEvent, { external_id = "placer" }: Hl7Settings): [Value, Value] =>
  external_id === "placer" ? [appointment.external_id, null] : [null, appointment.external_id];

/** TQ: the fourth component is the start, the fifth the end. */
function timing({ appointment: { starts_at, ends_at } }: ToldEvent): Value {
  return [null, null, null, writeTime(Date.parse(starts_at)), writeTime(Date.parse(ends_at))];
}

function schedule(event: ToldEvent, settings: Hl7Settings): string {
  const { reason, status } = WORDS[event.told.saying];
  const [placer, filler] = idsOf(event, settings);
  const fields: Value[] = [placer, filler, null, null, null, reason, null, null, null, null, timing(event)];
  return segmentOf("SCH", [...fields, ...Array.from({ length: 13 }, () => null), status]);
}

function request(event: ToldEvent, settings: Hl7Settings): string {
  const [placer, filler] = idsOf(event, settings);
  return segmentOf("ARQ", [placer, filler, null, null, null, WORDS[event.told.saying].reason]);
}

function patient({ appointment }: ToldEvent, { identifier_systems = [] }: Hl7Settings): string {
  const [first] = appointment.contact_identifiers ?? [];
  const authority = identifier_systems.find(({ system }) => system === first?.system)?.authority ?? first?.system;
  const name = (appointment.contact_name ?? "").trim().split(/\s+/);
  const family = name.pop() ?? "";
  const identifier: Value = first ? [first.value, null, null, authority ?? null] : null;
  const number = appointment.contact_number;
  const fields: Value[] = ["1", null, identifier, null, [family, name.join(" ")]];
  return segmentOf("PID", [...fields, null, null, null, null, null, null, null, number]);
}
