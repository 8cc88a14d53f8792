// The answer to a message: ACK with MSA and, for a refusal, ERR.
import { headerOf, messageOf, segmentOf, type Value } from "./build.ts";
import { USUAL_DELIMITERS } from "./delimiters.ts";
import { CONDITIONS, placeText, type Hl7Fault } from "./fault.ts";
import type { Message } from "./message.ts";
import { hasErrorLocation, hasStructure } from "./version.ts";

/** 2.3 allows 80 characters in MSA-3. */
const LONGEST_TEXT = 80;
const LONGEST_USER_TEXT = 250;
/** Longest values that are sent back, such as the control id. */
const LONGEST_ECHO = 227;

export interface Answer {
  /** Time of the answer in HL7's form. */
  time: string;
  controlId: string;
}

/** `message` is null if the header could not be read. */
export function acknowledgement(message: Message | null, fault: Hl7Fault | null, { time, controlId }: Answer): string {
  const delimiters = message?.delimiters ?? USUAL_DELIMITERS;
  const header = message?.first("MSH");
  const declared = message?.value(header, 12) ?? "";
  const version = declared === "" ? "2.5.1" : declared;
  const echo = (field: number): string => (message?.raw(header, field) ?? "").slice(0, LONGEST_ECHO);
  const trigger = message?.value(header, 9, 2) ?? "";
  const type: Value = hasStructure(version) && trigger !== "" ? ["ACK", trigger, "ACK"] : "ACK";
  const own = headerOf([time, null, type, controlId], delimiters).split(delimiters.field).slice(2);
  const sent = [
    `MSH${delimiters.field}${headerOf([], delimiters).slice(4)}`,
    echo(5) || "RINGWARD",
    echo(6),
    echo(3),
    echo(4),
    ...own,
    echo(11) || "P",
    echo(12) || version,
  ];
  // As it was read: a line break inside the header moves its fields.
  if (message !== null && message.charset !== "") sent.push("", "", "", "", "", message.charset);
  const text = fault === null ? null : fault.message.slice(0, LONGEST_TEXT);
  const controlEcho = echo(10);
  const outcome = ["MSA", fault?.code ?? "AA", controlEcho];
  if (text !== null) outcome.push(segmentOf("", [text], delimiters).slice(1));
  const lines = [sent.join(delimiters.field), outcome.join(delimiters.field)];
  if (fault) lines.push(errorSegment(fault, version, delimiters));
  return messageOf(lines);
}

function errorSegment(fault: Hl7Fault, version: string, delimiters: typeof USUAL_DELIMITERS): string {
  const { place, condition, message } = fault;
  const where = place
    ? [place.segment, String(place.sequence ?? 1), place.field === undefined ? null : String(place.field)]
    : [];
  const words = CONDITIONS[condition];
  if (!hasErrorLocation(version)) {
    // ELD: the code is a component whose parts are subcomponents.
    const { component, subcomponent } = delimiters;
    const code = [String(condition), words, "HL70357"].join(subcomponent === "" ? " " : subcomponent);
    const [segment = "", sequence = "", field = ""] = where;
    return `ERR${delimiters.field}${[segment, sequence, field, code].join(component)}`;
  }
  const text = `${place === null ? "" : `${placeText(place)}: `}${message}`.slice(0, LONGEST_USER_TEXT);
  return segmentOf(
    "ERR",
    [null, where, [String(condition), words, "HL70357"], "E", null, null, null, text],
    delimiters,
  );
}

/** What a receiver answered to a message of ours. */
export interface ReadAnswer {
  code: string;
  controlId: string;
  /** MSA-3 or the text of ERR. */
  text: string;
}

export function readAcknowledgement(message: Message): ReadAnswer | null {
  const outcome = message.first("MSA");
  if (!outcome) return null;
  const error = message.first("ERR");
  const text =
    message.value(outcome, 3) || message.value(error, 8) || message.value(error, 3, 2) || message.value(error, 1, 4);
  return { code: message.value(outcome, 1).toUpperCase(), controlId: message.value(outcome, 2), text };
}
