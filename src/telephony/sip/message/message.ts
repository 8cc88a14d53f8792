// SIP messages (RFC 3261, section 7): parses them under strict limits and serializes them. The only code that handles
// raw bytes.
import { parseCSeq, parseNameAddress, parseVia, type CSeq, type NameAddress, type Via } from "./header-fields.ts";
import { HeaderList } from "./header-list.ts";
import { SipParseError } from "./parse-error.ts";

interface Envelope {
  headers: HeaderList;
  body: Buffer;
  /** Parsed in advance, so that a parsed message can be routed without further checks. */
  via: Via;
  from: NameAddress;
  to: NameAddress;
  callId: string;
  cseq: CSeq;
}

export interface SipRequest extends Envelope {
  kind: "request";
  method: string;
  uri: string;
}

export interface SipResponse extends Envelope {
  kind: "response";
  status: number;
  reason: string;
}

/** A request as a dialog creates it: without Via, which the transaction adds. */
export interface RequestDraft {
  method: string;
  uri: string;
  headers: HeaderList;
  body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

/** The maximum of a UDP datagram; legitimate peers do not send more over TCP. */
export const LARGEST_MESSAGE_BYTES = 65_535;
const MOST_HEADERS = 150;
const LONGEST_LINE = 8_192;
const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
export const NO_BODY = Buffer.alloc(0);

export function parseMessage(bytes: Buffer): SipMessage {
  if (bytes.length > LARGEST_MESSAGE_BYTES) throw new SipParseError("the message is longer than 65,535 bytes");
  const headEnd = endOfHead(bytes);
  const lines = unfoldedLines(bytes.toString("utf8", 0, headEnd.textEnd));
  const startLine = lines.shift() ?? "";
  const headers = parseHeaders(lines);
  const body = bodyOf(bytes.subarray(headEnd.bodyStart), headers.get("content-length"));
  return withStartLine(startLine, headers, body);
}

export function serialise(message: SipMessage): Buffer {
  const startLine = firstLine(message);
  const headers = message.headers.copy();
  headers.set("content-length", String(message.body.length));
  return Buffer.concat([Buffer.from(`${[startLine, ...headers.lines()].join("\r\n")}\r\n\r\n`, "utf8"), message.body]);
}

export function firstLine(message: SipMessage): string {
  if (message.kind === "request") return `${message.method} ${message.uri} SIP/2.0`;
  return `SIP/2.0 ${message.status} ${message.reason}`;
}

/** The headers must be complete: Via, From, To, Call-ID, CSeq. */
export function createRequest({ method, uri, headers, body }: RequestDraft): SipRequest {
  return { kind: "request", method, uri, body, ...envelope(headers) };
}

export function createResponse(
  status: number,
  reason: string,
  headers: HeaderList,
  body: Buffer = NO_BODY,
): SipResponse {
  return { kind: "response", status, reason, body, ...envelope(headers) };
}

/** Byte offset of the empty line. A bare LF is accepted, because some gateways send it. */
function endOfHead(bytes: Buffer): { textEnd: number; bodyStart: number } {
  const at = bytes.indexOf("\r\n\r\n");
  if (at !== -1) return { textEnd: at, bodyStart: at + 4 };
  const bare = bytes.indexOf("\n\n");
  if (bare !== -1) return { textEnd: bare, bodyStart: bare + 2 };
  throw new SipParseError("the message has no empty line after its headers");
}

/** RFC 3261, section 7.3.1: a line that starts with white space continues the previous one. */
function unfoldedLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.length > LONGEST_LINE) throw new SipParseError("a header line is longer than 8,192 characters");
    const last = lines.length - 1;
    if (/^[ \t]/.test(line) && last >= 1) lines[last] = `${lines[last] ?? ""} ${line.trim()}`;
    else lines.push(line);
    if (lines.length > MOST_HEADERS + 1) throw new SipParseError("the message has more than 150 headers");
  }
  return lines;
}

function parseHeaders(lines: string[]): HeaderList {
  const headers = new HeaderList();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (!TOKEN.test(name)) throw new SipParseError("a header line has no name");
    if (line.includes("\0")) throw new SipParseError("a header holds a zero byte");
    headers.append(name, line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * Without Content-Length the body extends to the end of the datagram; on a stream the framing has checked it already.
 */
function bodyOf(rest: Buffer, contentLength: string | undefined): Buffer {
  if (contentLength === undefined) return Buffer.from(rest);
  if (!/^\d{1,6}$/.test(contentLength)) throw new SipParseError("Content-Length is not a number");
  const length = Number(contentLength);
  if (length > rest.length) throw new SipParseError("the message is shorter than its Content-Length");
  // Copied: the transport may reuse its buffer.
  return Buffer.from(rest.subarray(0, length));
}

function withStartLine(startLine: string, headers: HeaderList, body: Buffer): SipMessage {
  const status = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(startLine);
  if (status) return createResponse(Number(status[1]), status[2] ?? "", headers, body);
  const request = /^(\S+) (\S+) SIP\/2\.0$/i.exec(startLine);
  const [, method = "", uri = ""] = request ?? [];
  if (!TOKEN.test(method)) throw new SipParseError("the first line is neither a request nor a response");
  const message = createRequest({ method, uri, headers, body });
  if (message.cseq.method !== method) throw new SipParseError("CSeq names another method than the first line");
  return message;
}

function envelope(headers: HeaderList): Omit<Envelope, "body"> {
  const [topVia] = headers.all("via");
  const callId = required(headers, "call-id");
  if (/\s/.test(callId)) throw new SipParseError("a Call-ID holds white space");
  if (topVia === undefined) throw new SipParseError("the message has no Via header");
  return {
    headers,
    via: parseVia(topVia),
    from: parseNameAddress(required(headers, "from")),
    to: parseNameAddress(required(headers, "to")),
    callId,
    cseq: parseCSeq(required(headers, "cseq")),
  };
}

function required(headers: HeaderList, name: string): string {
  const values = headers.all(name);
  const [value] = values;
  if (value === undefined || value === "") throw new SipParseError(`the message has no ${name} header`);
  // With duplicates, two programs could read two different calls from one message.
  if (values.length > 1) throw new SipParseError(`the message has more than one ${name} header`);
  return value;
}
