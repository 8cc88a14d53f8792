// Parsers of structured headers: Via, From, To, Contact and CSeq.
import { SipParseError } from "./parse-error.ts";
import { bracketed, formatParameters, parseParameters, parseUri, type SipUri } from "./uri.ts";

export interface Via {
  /** `UDP`, `TCP`, `TLS`. */
  protocol: string;
  host: string;
  port: number | null;
  parameters: Record<string, string>;
}

/** From, To, Contact, Route, Refer-To: a URI with an optional display name and parameters. */
export interface NameAddress {
  displayName: string | null;
  /** As received: it is copied into headers unchanged. */
  uri: string;
  parameters: Record<string, string>;
}

export interface CSeq {
  number: number;
  method: string;
}

const VIA =
  /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z0-9-]+)\s+(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)\s*(?::\s*(\d{1,5}))?\s*(;.*)?$/s;
/** RFC 3261, section 8.1.1.5: below 2^31. */
const HIGHEST_CSEQ = 2 ** 31 - 1;

export function parseVia(text: string): Via {
  const match = VIA.exec(text.trim());
  if (!match) throw new SipParseError("a Via header is malformed");
  const [, protocol = "", host = "", port, parameters = ""] = match;
  return {
    protocol: protocol.toUpperCase(),
    host: host.replace(/^\[|\]$/g, ""),
    port: port === undefined ? null : Number(port),
    parameters: parseParameters(parameters),
  };
}

export function formatVia(via: Via): string {
  const port = via.port === null ? "" : `:${via.port}`;
  return `SIP/2.0/${via.protocol} ${bracketed(via.host)}${port}${formatParameters(via.parameters)}`;
}

export function parseNameAddress(text: string): NameAddress {
  const trimmed = text.trim();
  const form = /^(?:("(?:[^"\\]|\\.)*")\s*|([^<"]*))<([^<>]*)>\s*(;.*)?$/s.exec(trimmed);
  if (form) {
    const [, quoted, plain = "", uri = "", parameters = ""] = form;
    const name = quoted === undefined ? plain.trim() : quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1");
    return { displayName: name === "" ? null : name, uri: uri.trim(), parameters: parseParameters(parameters) };
  }
  // Without angle brackets, parameters after the first semicolon belong to the header, not to the URI.
  const semicolon = trimmed.indexOf(";");
  const uri = semicolon === -1 ? trimmed : trimmed.slice(0, semicolon).trim();
  if (uri === "" || /[\s<>"]/.test(uri)) throw new SipParseError("an address header is malformed");
  return {
    displayName: null,
    uri,
    parameters: semicolon === -1 ? parseParameters("") : parseParameters(trimmed.slice(semicolon)),
  };
}

export function parseCSeq(text: string): CSeq {
  const match = /^(\d{1,10})\s+([A-Za-z0-9\-.!%*_+`'~]+)$/.exec(text.trim());
  const number = Number(match?.[1]);
  if (!match || number > HIGHEST_CSEQ) throw new SipParseError("a CSeq header is malformed");
  return { number, method: match[2] ?? "" };
}

/** The URI inside a header such as Contact, or null if it is not a valid SIP URI. */
export function uriInside(headerValue: string | undefined): SipUri | null {
  if (headerValue === undefined) return null;
  try {
    return parseUri(parseNameAddress(headerValue).uri);
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}

/** `text/plain;charset=x` → `text/plain`. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** A header of whole seconds; null if it is missing or invalid. */
export function secondsIn(value: string | undefined): number | null {
  const match = /^\s*(\d{1,9})/.exec(value ?? "");
  return match ? Number(match[1]) : null;
}

/** Retry-After of a 503; undefined if there is none. */
export function retryAfterMs(response: { headers: { get(name: string): string | undefined } }): number | undefined {
  const seconds = secondsIn(response.headers.get("retry-after"));
  return seconds === null ? undefined : seconds * 1_000;
}
