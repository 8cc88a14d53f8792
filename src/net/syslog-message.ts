// Format of syslog messages (RFC 5424), and their framing on a stream (octet counting, RFC 6587 and RFC 5425).
import { toIso } from "../core/clock.ts";

/** RFC 5424, table 1. */
export const FACILITIES = { user: 1, daemon: 3, auth: 4, authpriv: 10, audit: 13, local0: 16 } as const;
/** RFC 5424, table 2. */
export const SEVERITIES = { critical: 2, error: 3, warning: 4, notice: 5, info: 6 } as const;

export interface SyslogMessage {
  facility: keyof typeof FACILITIES;
  severity: keyof typeof SEVERITIES;
  /** Milliseconds since 1970. */
  at: number;
  /** Kind of message, such as `AUDIT`. */
  msgId: string;
  /** Structured data: parameters by element. Null and undefined are left out. */
  data: Readonly<Record<string, Readonly<Record<string, string | number | null | undefined>>>>;
  text: string;
}

export interface SyslogOrigin {
  /** HOSTNAME. */
  hostName: string;
  appName: string;
  procId: string;
}

/** RFC 5425, section 4.3.1: every receiver takes 2,048 bytes and should take 8,192. */
export const LEAST_MESSAGE_BYTES = 2_048;

const NIL = "-";
const BOM = "\uFEFF";

/** A longer text loses its end; the structured data is never cut. Throws a RangeError if that alone is too long. */
export function syslogMessage(message: SyslogMessage, origin: SyslogOrigin, mostBytes: number): Buffer {
  const { facility, severity, at, msgId, data, text } = message;
  const head = [
    `<${FACILITIES[facility] * 8 + SEVERITIES[severity]}>1`,
    toIso(at),
    printable(origin.hostName, 255),
    printable(origin.appName, 48),
    printable(origin.procId, 128),
    printable(msgId, 32),
    structured(data),
  ].join(" ");
  const withoutText = Buffer.from(head);
  if (withoutText.length > mostBytes)
    throw new RangeError(`A syslog message of ${withoutText.length} bytes is too long.`);
  if (text === "") return withoutText;
  return withinBytes(Buffer.from(`${head} ${BOM}${oneLine(text)}`), mostBytes);
}

/** Octet counting: the length, a space, the message. */
export const framedSyslog = (message: Buffer): Buffer => Buffer.concat([Buffer.from(`${message.length} `), message]);

/** Visible ASCII alone; NIL for nothing. */
function printable(text: string, longest: number): string {
  const kept = text.replaceAll(/[^!-~]/g, "?").slice(0, longest);
  return kept === "" ? NIL : kept;
}

function structured(data: SyslogMessage["data"]): string {
  const elements = Object.entries(data).map(([id, parameters]) => {
    const given = Object.entries(parameters).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [` ${sdName(name)}="${escaped(String(value))}"`],
    );
    return `[${sdName(id)}${given.join("")}]`;
  });
  return elements.length === 0 ? NIL : elements.join("");
}

/** SD-NAME: visible ASCII without `=`, `]`, `"`, at most 32. */
const sdName = (name: string): string => printable(name.replaceAll(/[=\]"]/g, "_"), 32);

/** PARAM-VALUE: three characters are escaped; control characters would break a line-based collector. */
const escaped = (value: string): string => oneLine(value).replaceAll(/[\\"\]]/g, String.raw`\$&`);

const oneLine = (text: string): string => text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");

/** Cuts at a boundary between characters. */
function withinBytes(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
