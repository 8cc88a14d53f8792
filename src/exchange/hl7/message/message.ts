// A parsed HL7 v2 message. Fields stay as they were sent; they are split and unescaped when they are read, because most
// are never read.
import { charsetOf } from "./charset.ts";
import { declaredDelimiters, readDelimiters, type Delimiters } from "./delimiters.ts";
import { unescaped } from "./escapes.ts";
import { Hl7Fault } from "./fault.ts";

/** Real messages stay far below; beyond these a sender is at fault. */
const MOST_SEGMENTS = 1_000;
const MOST_MESSAGES = 200;
const MOST_FIELDS = 500;
/** Repetitions and components that are read. */
const MOST_PARTS = 100;

export interface Segment {
  name: string;
  /** Counts segments of this name from 1. */
  sequence: number;
  /** By HL7's numbers: [0] is the name; of MSH [1] is the separator and [2] the other delimiters. */
  fields: readonly string[];
  /** From this field on there is text of a following line that is no segment. */
  strayFrom: number;
}

/** A field's repetition: components of subcomponents, unescaped. */
export type Components = readonly (readonly string[])[];

export class Message {
  constructor(
    readonly delimiters: Delimiters,
    readonly segments: readonly Segment[],
    readonly charset: string,
    /** What had to be guessed. */
    readonly notes: readonly string[],
    private readonly decode: (bytes: Uint8Array) => string = (bytes) => new TextDecoder().decode(bytes),
  ) {}

  /** Whether the line after the MSH segment is no segment: what it says cannot be placed. */
  get isHeaderBroken(): boolean {
    return (this.segments[0]?.strayFrom ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY;
  }

  all(name: string): Segment[] {
    return this.segments.filter((segment) => segment.name === name);
  }

  first(name: string): Segment | undefined {
    return this.segments.find((segment) => segment.name === name);
  }

  /** As sent, with its delimiters and escapes. */
  raw(segment: Segment | undefined, field: number): string {
    return segment?.fields[field] ?? "";
  }

  repetitions(segment: Segment | undefined, field: number): Components[] {
    const raw = this.raw(segment, field);
    if (raw === "") return [];
    const { component, repetition, subcomponent } = this.delimiters;
    return split(raw, repetition).map((each) =>
      split(each, component).map((part) => split(part, subcomponent).map((text) => this.text(text))),
    );
  }

  /** The first subcomponent of a component of the first repetition; "" if there is none. */
  value(segment: Segment | undefined, field: number, component = 1): string {
    return partOf(this.repetitions(segment, field)[0], component);
  }

  /** HL7's "": the sender deletes the value. */
  isDeleted(segment: Segment | undefined, field: number): boolean {
    return this.raw(segment, field).trim() === '""';
  }

  /** As value(), for a path such as "ZXX-4.2". */
  at(path: string): string {
    const [, name = "", field = "", component = "1"] = PATH.exec(path) ?? [];
    return this.value(this.first(name), Number(field), Number(component));
  }

  text(raw: string): string {
    return unescaped(raw, this.delimiters, this.decode);
  }

  /** In HL7's form: segments end with CR. */
  encode(): string {
    return this.segments.map((segment) => `${this.#line(segment)}\r`).join("");
  }

  #line({ name, fields }: Segment): string {
    const { field } = this.delimiters;
    if (!isHeader(name)) return fields.join(field);
    const rest = fields.slice(3);
    return `${name}${field}${[declaredDelimiters(this.delimiters), ...rest].join(field)}`;
  }
}

export const PATH = /^([A-Z][A-Z0-9]{2})-([1-9]\d{0,2})(?:\.([1-9]\d?))?$/;

/** A component's first subcomponent, or another. */
export function partOf(components: Components | undefined, component: number, subcomponent = 1): string {
  return (components?.[component - 1]?.[subcomponent - 1] ?? "").trim();
}

const isHeader = (name: string): boolean => name === "MSH" || name === "FHS" || name === "BHS";

function split(text: string, separator: string): string[] {
  return separator === "" ? [text] : text.split(separator, MOST_PARTS);
}

/** Envelopes of batch files, which some senders put around messages. */
const ENVELOPES = /^(?:FHS|BHS|BTS|FTS)(?![A-Za-z0-9])/;

/** The messages in one frame, usually one. Throws a Hl7Fault if there is none. */
export function messagesIn(frame: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  // One pass over text: searching bytes again and again took 20 ms for a hostile message.
  const starts = Array.from(
    bytes.toString("latin1").matchAll(HEADERS),
    ({ index, 0: found }) => index + found.length - 3,
  );
  if (starts.length === 0) throw noHeader();
  if (starts.length > MOST_MESSAGES)
    throw new Hl7Fault("AR", 207, null, `A frame may have at most ${MOST_MESSAGES} messages.`);
  return starts.map((start, i) => bytes.subarray(start, starts[i + 1]));
}

/** At the beginning, behind a byte order mark (as bytes) and blanks; or at a line's beginning. */
const HEADERS = /(?:^(?:ï»¿)?[\p{Cc}\s]*|[\r\n])MSH(?=[!-/:-@[-`{-~])/gu;

const noHeader = () => new Hl7Fault("AR", 100, { segment: "MSH" }, "A message must begin with an MSH segment.");

/** Parses one message. Throws a Hl7Fault. */
export function parseMessage(bytes: Uint8Array): Message {
  const ascii = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const header = ascii.split(/[\r\n]/, 1)[0] ?? "";
  if (!header.startsWith("MSH")) throw noHeader();
  const delimiters = readDelimiters(header);
  const declared = header.split(delimiters.field)[17]?.split(delimiters.repetition)[0] ?? "";
  const charset = charsetOf(declared, bytes);
  const text = charset.decode(bytes);
  const notes = charset.note === null ? [] : [charset.note];
  return new Message(delimiters, segmentsOf(text, delimiters), declared, notes, charset.decode);
}

/** For text that is already decoded, such as a pasted message. */
export function parseText(text: string): Message {
  return parseMessage(withoutCharset(text));
}

/** Pasted text is UTF-8 whatever its MSH-18 says. */
function withoutCharset(text: string): Uint8Array {
  // What MLLP puts around a message may have been copied with it.
  const trimmed = text
    .replace(/^[\s\v\uFEFF]+/, "")
    .replaceAll("\u001C", "")
    .trimEnd();
  const separator = trimmed.charAt(3);
  const [header = "", ...rest] = trimmed.split(/(?=[\r\n])/);
  const fields = separator === "" ? [header] : header.split(separator);
  if (fields[17] !== undefined && fields[17] !== "") fields[17] = "UNICODE UTF-8";
  return Buffer.from([fields.join(separator), ...rest].join(""), "utf8");
}

function segmentsOf(text: string, delimiters: Delimiters): Segment[] {
  const counts = new Map<string, number>();
  return linesOf(text, delimiters).map(({ text: whole, soundLength }) => {
    const name = whole.slice(0, 3);
    const hasStray = soundLength < whole.length;
    // Of the header itself nothing else is taken.
    const line = isHeader(name) ? whole.slice(0, soundLength) : whole;
    const parts = line.split(delimiters.field);
    if (parts.length > MOST_FIELDS)
      throw new Hl7Fault("AE", 102, { segment: name }, `A segment may have at most ${MOST_FIELDS} fields.`);
    // The separator itself is field 1 of a header.
    const fields = isHeader(name) ? [name, delimiters.field, ...parts.slice(1)] : parts;
    const sequence = (counts.get(name) ?? 0) + 1;
    counts.set(name, sequence);
    const soundFields = whole.slice(0, soundLength).split(delimiters.field).length;
    return { name, sequence, fields, strayFrom: hasStray ? soundFields - 1 : Number.POSITIVE_INFINITY };
  });
}

interface Line {
  text: string;
  /** Before the text of the lines after it that are no segments. */
  soundLength: number;
}

/** A line that is no segment continues the one before: senders put bare line breaks into notes. */
function linesOf(text: string, { field, escape }: Delimiters): Line[] {
  const lines: Line[] = [];
  const breakText = escape === "" ? " " : `${escape}.br${escape}`;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === "" || ENVELOPES.test(line)) continue;
    const isSegment = /^[A-Z][A-Z0-9]{2}$/.test(line.slice(0, 3)) && (line.length === 3 || line.charAt(3) === field);
    const last = lines.at(-1);
    if (isSegment || !last) lines.push({ text: line, soundLength: line.length });
    // A bare name gets a field for the text.
    else if (line.trim() !== "") last.text += `${last.text.length === 3 ? field : ""}${breakText}${line}`;
    if (lines.length > MOST_SEGMENTS)
      throw new Hl7Fault("AE", 100, null, `A message may have at most ${MOST_SEGMENTS} segments.`);
  }
  return lines;
}
