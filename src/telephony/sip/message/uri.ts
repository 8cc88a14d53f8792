// SIP URIs (RFC 3261, section 19.1), limited to the parts that a user agent needs: user, host, port, parameters.
import { isIP } from "node:net";
import { SipParseError } from "./parse-error.ts";

export interface SipUri {
  scheme: "sip" | "sips";
  /** Null for `sip:host`. A password after the colon is dropped: RFC 3261 advises against it. */
  user: string | null;
  /** IPv6 without its brackets. */
  host: string;
  port: number | null;
  /** Names in lower case; a flag such as `lr` has the empty string. */
  parameters: Record<string, string>;
}

const LONGEST_URI = 1_024;
const FORM =
  /^(sips?):(?:([^@\s<>"]*)@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?((?:;[^?\s<>"]*)?)(\?[^\s<>"]*)?$/i;

export function parseUri(text: string): SipUri {
  if (text.length > LONGEST_URI) throw new SipParseError("a URI is longer than 1,024 characters");
  const match = FORM.exec(text.trim());
  if (!match) throw new SipParseError("a URI is neither sip: nor sips:, or is malformed");
  const [, scheme = "", userInfo, bracketedHost = "", portText, parameterText = ""] = match;
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65_535)) throw new SipParseError("a URI names a port that cannot be");
  const host = bracketedHost.replace(/^\[|\]$/g, "").toLowerCase();
  if (bracketedHost.startsWith("[") && isIP(host) !== 6) throw new SipParseError("a URI holds a broken IPv6 address");
  return {
    scheme: scheme.toLowerCase() === "sips" ? "sips" : "sip",
    user: userInfo === undefined ? null : unescaped(userInfo.split(":")[0] ?? ""),
    host,
    port,
    parameters: parseParameters(parameterText),
  };
}

export function formatUri(uri: SipUri): string {
  const user = uri.user === null ? "" : `${escapedUser(uri.user)}@`;
  const port = uri.port === null ? "" : `:${uri.port}`;
  return `${uri.scheme}:${user}${bracketed(uri.host)}${port}${formatParameters(uri.parameters)}`;
}

/** The user part, or null if there is none or it is not a SIP URI. */
export function userOf(text: string): string | null {
  try {
    return parseUri(text).user;
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}

/** An IPv6 literal needs brackets if a port may follow. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** `;a=1;b` or `a=1;b`. Quoted values keep their semicolons and lose their quotes. */
export function parseParameters(text: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  const part = /\s*([^\s;=,]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^;]*))?(?:;|$)/y;
  const start = text.trimStart().startsWith(";") ? text.indexOf(";") + 1 : 0;
  part.lastIndex = start;
  for (let match = part.exec(text); match && match[0] !== ""; match = part.exec(text)) {
    const value = (match[2] ?? "").trim();
    const name = (match[1] ?? "").toLowerCase();
    parameters[name] = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
  }
  return parameters;
}

export function formatParameters(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => (value === "" ? `;${name}` : `;${name}=${value}`))
    .join("");
}

function escapedUser(user: string): string {
  return user.replaceAll(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/g, (character) => encodeURIComponent(character));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * An extension of the exchange behind the trunk: too short for any outside number, and without a leading 0 for an
 * outside line.
 */
export function isExtension(text: string): boolean {
  return /^[1-9][0-9]{1,5}$/.test(text);
}

/** A user of the exchange, such as front-desk: with a leading letter it cannot be dialled as an outside number. */
export function isUserName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9._-]*$/.test(text);
}

export function sipUri(
  user: string,
  host: string,
  port: number | null = null,
  parameters: Record<string, string> = {},
): string {
  return formatUri({ scheme: "sip", user, host, port, parameters });
}
