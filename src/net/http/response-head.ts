// Parser for the status line and headers of an HTTP/1.1 response (RFC 9112), as far as needed to find the end of the
// body.
import { NetFailure } from "../failure.ts";

export interface ResponseHead {
  status: number;
  /** How the body ends (RFC 9112, section 6.3): after a number of bytes, by its last chunk, or with the connection. */
  framing: { by: "length"; byteCount: number } | { by: "chunks" } | { by: "close" };
  keepsAlive: boolean;
  /** The body is compressed. It is never decompressed, which prevents decompression bombs. */
  isEncoded: boolean;
  /** The raw value: seconds or a date (RFC 9110, section 10.2.3). */
  retryAfter: string | null;
  /** The raw value; empty if missing. */
  contentType: string;
}

/** Invalid HTTP/1.1. */
export class NotHttp extends NetFailure {
  override name = "NotHttp";
}

export function notHttp(why: string): NotHttp {
  return new NotHttp("unreachable", `The answer is not valid HTTP/1.1: ${why}.`);
}

/** Parses a status line. `isOld`: HTTP/1.0. */
export function statusOf(line: string): { status: number; isOld: boolean } {
  const match = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: |$)/.exec(line);
  if (!match) throw notHttp("it does not start with a status line");
  return { status: Number(match[2]), isOld: match[1] === "0" };
}

export function parseHead(text: string): ResponseHead {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const { status, isOld } = statusOf(statusLine);
  const headers = headerValues(lines);
  const codings = listOf(headers, "transfer-encoding");
  const lengths = new Set(listOf(headers, "content-length"));
  const framing = framingOf(status, codings, lengths);
  return {
    status,
    framing,
    // Both framings at once enable response smuggling: such a connection is not reused.
    keepsAlive:
      !isOld &&
      status !== 101 &&
      framing.by !== "close" &&
      !listOf(headers, "connection").includes("close") &&
      !(codings.length > 0 && lengths.size > 0),
    isEncoded: listOf(headers, "content-encoding").some((coding) => coding !== "identity"),
    retryAfter: headers.get("retry-after")?.at(-1)?.trim() ?? null,
    contentType: headers.get("content-type")?.[0] ?? "",
  };
}

function framingOf(status: number, codings: readonly string[], lengths: ReadonlySet<string>): ResponseHead["framing"] {
  if (status < 200 || status === 204 || status === 304) return { by: "length", byteCount: 0 };
  if (codings.length > 0) return codings.at(-1) === "chunked" ? { by: "chunks" } : { by: "close" };
  const [length, ...others] = lengths;
  if (length === undefined) return { by: "close" };
  if (others.length > 0 || !/^[0-9]{1,15}$/.test(length)) throw notHttp("its Content-Length is no single number");
  return { by: "length", byteCount: Number(length) };
}

/** The only headers that are read. */
const NAMES = new Set([
  "transfer-encoding",
  "content-length",
  "connection",
  "content-encoding",
  "retry-after",
  "content-type",
]);

function headerValues(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).toLowerCase();
    if (!NAMES.has(name)) continue;
    const value = line.slice(colon + 1);
    const others = headers.get(name);
    if (others) others.push(value);
    else headers.set(name, [value]);
  }
  return headers;
}

function listOf(headers: ReadonlyMap<string, string[]>, name: string): string[] {
  const lines = headers.get(name);
  if (!lines) return [];
  const values = lines.flatMap((value) => value.split(","));
  return values.map((value) => value.trim().toLowerCase()).filter((value) => value !== "");
}
