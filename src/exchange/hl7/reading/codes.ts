// Looks up a sender's codes in the mappings of its source.
import type { Message, Segment } from "../message/message.ts";
import { partOf } from "../message/message.ts";
import type { Hl7Settings } from "../settings.ts";

const plain = (code: string): string => code.trim().toUpperCase();

/** The first of the codes that is mapped; of equal entries the first. Hostile messages have thousands of codes. */
function mapped<Entry>(codes: readonly string[], entries: readonly Entry[], codeOf: (entry: Entry) => string) {
  const known = new Map(entries.toReversed().map((entry) => [plain(codeOf(entry)), entry]));
  for (const code of codes) {
    const found = known.get(plain(code));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Codes of a location (PL), the most specific first: all of it, facility, point of care, building, description. */
function locationCodes(message: Message, segment: Segment | undefined, field: number): string[] {
  const [components] = message.repetitions(segment, field);
  if (!components) return [];
  const whole = message.raw(segment, field).split(message.delimiters.repetition)[0] ?? "";
  const codes = [message.text(whole), ...[4, 1, 7, 9].map((number) => partOf(components, number))];
  return [...new Set(codes)].filter((code) => code !== "");
}

export interface FoundCode {
  id: string | undefined;
  /** What the message has, for a note to the administrator. */
  codes: readonly string[];
}

/** AIL-3, then PV1-3, then the sending facility. */
export function branchOf(message: Message, { branches = [], default_branch_id }: Hl7Settings): FoundCode {
  const codes = [
    ...message.all("AIL").flatMap((ail) => locationCodes(message, ail, 3)),
    ...locationCodes(message, message.first("PV1"), 3),
  ];
  const facility = message.value(message.first("MSH"), 4);
  const found = mapped([...codes, facility], branches, ({ code }) => code);
  return { id: found?.branch_id ?? default_branch_id ?? undefined, codes };
}

/** AIS-3, then SCH-7, then SCH-8. */
export function serviceOf(message: Message, { services = [] }: Hl7Settings): FoundCode {
  const schedule = message.first("SCH");
  const codes = [
    ...message.all("AIS").flatMap((ais) => codesOf(message, ais, 3)),
    ...codesOf(message, schedule, 7),
    ...codesOf(message, schedule, 8),
  ];
  const found = mapped(codes, services, ({ code }) => code);
  return { id: found?.appointment_type_id, codes };
}

/** Code and alternate code of a CE, then their texts. */
function codesOf(message: Message, segment: Segment | undefined, field: number): string[] {
  return message
    .repetitions(segment, field)
    .flatMap((components) => [1, 4, 2, 5].map((number) => partOf(components, number)))
    .filter((code) => code !== "");
}

/** The system of an identifier, by its assigning authority: namespace, universal id, or type. */
export function systemOf(authority: readonly string[], settings: Hl7Settings): string {
  const { identifier_systems = [], identifier_system = "mrn" } = settings;
  const given = authority.filter((text) => text !== "");
  return mapped(given, identifier_systems, (each) => each.authority)?.system ?? given[0] ?? identifier_system;
}
