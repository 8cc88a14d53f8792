// Messages as real senders write them: sound ones of every version, with their delimiters, line ends and segments, and
// mangled ones. Deterministic by their chance.
import type { MirroredStatus } from "../../src/exchange/mirror/port.ts";
import type { Hl7Source } from "../../src/exchange/hl7/settings.ts";

export const BRANCH = "0198f000-0000-7000-8000-000000000001";
export const OTHER_BRANCH = "0198f000-0000-7000-8000-000000000002";
export const SERVICE = "0198f000-0000-7000-8000-000000000011";

export const SOURCE: Hl7Source = {
  id: "src_1",
  organisationId: "org_1",
  name: "HIS",
  settings: {
    application: "HIS",
    facility: "MAIN",
    time_zone: "Asia/Kolkata",
    country: "IN",
    branches: [
      { code: "CARD", branch_id: BRANCH },
      { code: "ORTHO^^^EAST", branch_id: OTHER_BRANCH },
    ],
    services: [{ code: "ECHO", appointment_type_id: SERVICE }],
    identifier_systems: [{ authority: "HOSP", system: "mrn" }],
  },
};

export interface Booking {
  trigger: string;
  controlId: string;
  id: string;
  /** MSH-7. */
  sentAt: string;
  startsAt?: string;
  status?: string;
  location?: string;
  mrn?: string;
  name?: string;
  phone?: string;
  version?: string;
  application?: string;
}

/** A plain SIU message with CR. */
export function siu(booking: Booking): string {
  const { trigger, controlId, id, sentAt, startsAt = "20261201100000", status = "Booked" } = booking;
  const { location = "CARD^ROOM1^^MAIN", mrn = "MRN1", name = "SHARMA^Ravi", phone = "9810012345" } = booking;
  const { version = "2.5.1", application = "HIS" } = booking;
  return [
    `MSH|^~\\&|${application}|MAIN|RINGWARD|MAIN|${sentAt}||SIU^${trigger}^SIU_S12|${controlId}|P|${version}`,
    `SCH|${id}^HIS|F${id}^HIS|||||CHK^Check-up|ECHO^Echo|20|min|^^20^${startsAt}||||||||||||||${status}`,
    `PID|1||${mrn}^^^HOSP^MR||${name}||19700101|M|||||${phone}`,
    `PV1|1|O|${location}`,
    "RGS|1|A",
    "AIS|1|A|ECHO^Echocardiogram",
    `AIL|1|A|${location}`,
    "AIP|1|A|D42^Mehta^Anil^^^Dr",
    "",
  ].join("\r");
}

export function adt(trigger: "A08" | "A40", controlId: string, sentAt: string, rest: readonly string[]): string {
  const head = `MSH|^~\\&|HIS|MAIN|RINGWARD|MAIN|${sentAt}||ADT^${trigger}|${controlId}|P|2.5.1`;
  return [head, `EVN|${trigger}|${sentAt}`, ...rest, ""].join("\r");
}

export interface Generated {
  bytes: Buffer;
  controlId: string;
  /** Set if the message is sound and must be understood. */
  says: Said | null;
}

export interface Said {
  id: string;
  changedAt: number;
  startsAt: number;
  status: MirroredStatus;
}

type Chance = () => number;

const NAMES = [
  "SHARMA^Ravi",
  "Łukasz^Żółć",
  "O'Brien^Seán",
  "शर्मा^रवि",
  "D\\T\\Souza^Maria",
  "Müller&von^Jörg^^III^Dr^^L",
];
const PHONES = [
  "9810012345",
  "+919810012345",
  "(098)100-12345",
  "^PRN^CP^^91^98100^12345",
  "^NET^Internet^a@b.example~^PRN^PH^^^98100^12345",
  "09810012345X12",
  "",
  '""',
];
const EXTRA = [
  "ZXX|1|free \\X41\\ text|20261118",
  "NTE|1||two\\.br\\lines",
  "ZZZ",
  "IN1|1|a^b&c~d",
  "OBX|1|TX|||\\H\\bold\\N\\",
];
const TRIGGERS = ["S12", "S13", "S14", "S15", "S17", "S26"];

function statusOf(trigger: string, word: string): MirroredStatus {
  if (trigger === "S15" || trigger === "S17") return "cancelled";
  if (trigger === "S26") return "no_show";
  if (word === "Complete") return "completed";
  return word === "Noshow" ? "no_show" : "confirmed";
}

export function generatorOf(chance: Chance) {
  const below = (limit: number) => Math.floor(chance() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  let count = 0;

  function text(version: string): { text: string; controlId: string; says: Said } {
    count += 1;
    const controlId = `C${count}`;
    const id = `A${below(300)}`;
    const [sentAt, changedAt] = timeOf("2026-11-0", 1 + below(9), oneOf(["", "00", "00.123", "00+0530"]));
    const [startsAt, start] = timeOf("2026-12-1", below(9), oneOf(["", "00", "00+0530", "00.0000+0530"]));
    const trigger = oneOf(TRIGGERS);
    const word = oneOf(["Booked", "", "Complete", "Noshow"]);
    const booking = { trigger, controlId, id, sentAt, startsAt, name: oneOf(NAMES), status: word };
    const lines = siu({ ...booking, phone: oneOf(PHONES), version })
      .split("\r")
      .filter((line) => line !== "");
    for (let i = below(4); i > 0; i--) lines.splice(2 + below(lines.length - 2), 0, oneOf(EXTRA));
    const says = { id, changedAt, startsAt: start, status: statusOf(trigger, word) };
    return { text: lines.join("\r") + oneOf(["", "\r"]), controlId, says };
  }

  /** In HL7's form and in milliseconds, in the zone of the source. */
  function timeOf(dateStart: string, day: number, form: string): [string, number] {
    const clockTime = `1${below(10)}:${String(below(60)).padStart(2, "0")}`;
    const date = `${dateStart}${day}`;
    const ms = Date.parse(`${date}T${clockTime}:00+05:30`) + (form.startsWith("00.123") ? 123 : 0);
    return [`${date}${clockTime}`.replaceAll(/[-:]/g, "") + form, ms];
  }

  /** Other delimiters than the usual ones. */
  function redelimited(sound: string): string {
    const map = new Map([
      ["|", "#"],
      ["^", ":"],
      ["~", "*"],
      ["&", "%"],
      ["\\", "/"],
    ]);
    return Array.from(sound, (sign) => map.get(sign) ?? sign).join("");
  }

  /** A sound message. */
  function sound(version: string): Generated {
    const made = text(version);
    const hasOther = chance() < 0.15;
    let written = hasOther ? redelimited(made.text) : made.text;
    written = written.replaceAll("\r", oneOf(["\r", "\r", "\n", "\r\n"]));
    const bytes = chance() < 0.2 ? Buffer.from(`\uFEFF${written}`, "utf8") : Buffer.from(written, "utf8");
    return { bytes, controlId: made.controlId, says: made.says };
  }

  /** Cut, turned, doubled, mixed: whatever comes out of it. */
  function mangled(version: string): Generated {
    const { bytes: whole, controlId } = sound(version);
    let bytes = Buffer.from(whole);
    for (let i = 1 + below(6); i > 0; i--)
      bytes[below(bytes.length)] = oneOf([below(256), 0x7c, 0x5e, 0x5c, 0x0d, 0x0a, 0x0b]);
    if (chance() < 0.3) bytes = bytes.subarray(0, below(bytes.length));
    if (chance() < 0.1) bytes = Buffer.concat([bytes, bytes.subarray(below(bytes.length))]);
    // FS would end the frame.
    for (const [i, byte] of bytes.entries()) if (byte === 0x1c) bytes[i] = 0x20;
    return { bytes, controlId, says: null };
  }

  return { sound, mangled, below, oneOf };
}
