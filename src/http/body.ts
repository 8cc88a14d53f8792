// Reads a request body within size and time limits, so a slow or endless one cannot tie up the server.
import { NUL } from "../core/clean-text.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { createTurns, type Clock } from "../core/clock.ts";
import { inTime } from "../core/within.ts";
import { infoOf } from "./request-info.ts";

export const MOST_BODY_BYTES = 256 * 1024;
/** Limit before authentication: names, an e-mail address and a password are far smaller. */
export const MOST_STRANGERS_BODY_BYTES = 4 * 1024;
/** additional_info may be nested 64 levels. Schema validation took 9 s for a body of 120,000 brackets. */
const DEEPEST_BODY = 100;

/** Takes a millisecond or less. */
const LOOKED_AT_ONCE_BYTES = 64 * 1024;

const tooLarge = (mostBytes: number) =>
  new AppError("PAYLOAD_TOO_LARGE", `The body must not exceed ${mostBytes / 1024} KiB.`);

const tooSlow = () => new AppError("REQUEST_TIMEOUT", "The body did not arrive in time. Send it in one go.");

export interface BodyBounds {
  clock: Clock;
  timeoutMs: number;
  mostBytes?: number;
  /** Called before more than 256 KiB of a body are read; throws if there is no capacity for them. */
  admit?: (bytes: number) => void;
  /** Receives each part as it arrives, and throws if the rest need not be read. */
  look?: (part: Uint8Array) => void;
}

export async function readBody(request: Request, bounds: BodyBounds): Promise<Uint8Array> {
  const { clock, timeoutMs, mostBytes = MOST_BODY_BYTES, admit, look } = bounds;
  const header = request.headers.get("content-length");
  const length = header !== null && /^[0-9]+$/.test(header) ? Number(header) : null;
  if ((length ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const isLarge = (length ?? 0) > MOST_BODY_BYTES;
  if (isLarge) admit?.(length ?? 0);
  // With a known length the server itself stops there, and reading the body at once is twice as fast as a stream.
  if (length !== null && !(look && isLarge)) {
    const bytes = request.bytes();
    // Most bodies arrive with their headers, and need no timer.
    const arrived: unknown = Bun.peek(bytes);
    const whole =
      arrived instanceof Uint8Array ? arrived : await inTime(clock, timeoutMs, bytes.catch(brokenOff), tooSlow);
    look?.(whole);
    return whole;
  }
  if (!request.body) return new Uint8Array();

  const reader: ByteReader = request.body.getReader();
  try {
    return await inTime(clock, timeoutMs, collect(reader, { ...bounds, mostBytes, length }), tooSlow);
  } catch (error) {
    reader.cancel().catch(() => {});
    // Bun discards the rest of a body of known length, so the connection can be reused.
    if (length === null) infoOf(request).closesConnection = true;
    throw error;
  }
}

/** The two required methods of a stream reader. */
interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

type Collected = Pick<BodyBounds, "admit" | "look"> & { mostBytes: number; length: number | null };

async function collect(reader: ByteReader, { mostBytes, length, admit, look }: Collected): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // With a known length the parts are copied as they arrive: joining 8 MiB at the end takes 20 ms.
  const whole = length === null ? null : new Uint8Array(length);
  let size = 0;
  let isAdmitted = length !== null;
  const turn = createTurns();
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done || !value) {
      if (whole) return whole.subarray(0, size);
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    }
    const from = size;
    size += value.byteLength;
    if (size > (length ?? mostBytes)) throw tooLarge(mostBytes);
    // The length is unknown, so it reserves the maximum.
    if (size > MOST_BODY_BYTES && !isAdmitted) {
      admit?.(mostBytes);
      isAdmitted = true;
    }
    // A large part is scanned in pieces, yielding in between.
    for (let at = 0; look && at < value.length; at += LOOKED_AT_ONCE_BYTES) {
      look(value.subarray(at, at + LOOKED_AT_ONCE_BYTES));
      await turn();
    }
    if (whole) whole.set(value, from);
    else chunks.push(value);
  }
}

function brokenOff(): never {
  throw new AppError("VALIDATION_ERROR", "The body broke off before its end. Send it again.");
}

/** Lower-case, without parameters. Compressed bodies are rejected. */
export function mediaType(request: Request): string {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, not compressed.");
  return request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

export const isJsonType = (type: string): boolean =>
  type === "application/json" || /^application\/[\w.-]+\+json$/.test(type);

export function assertJsonType(request: Request): void {
  if (isJsonType(mediaType(request))) return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON with Content-Type: application/json.");
}

/** Invalid UTF-8 is rejected rather than silently replaced. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** `path`: the position within the body, if it is a part of one. */
export function parseJson(bytes: Uint8Array, path = ""): unknown {
  if (bytes.length > DEEPEST_BODY && isTooDeep(bytes)) throw tooDeep();
  return parsed(decodedText(bytes), path);
}

const tooDeep = () =>
  new AppError("VALIDATION_ERROR", `The body must not be nested deeper than ${DEEPEST_BODY} levels.`);
const notJson = (isEmpty: boolean) =>
  new AppError("VALIDATION_ERROR", isEmpty ? "A JSON body is required." : "The body is not valid JSON.");

export function decodedText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError("VALIDATION_ERROR", "The body is not valid UTF-8.");
  }
}

function parsed(text: string, path: string): unknown {
  const body = valueOf(text);
  // JSON has no other notation for NUL, so other bodies skip the search.
  const field = text.includes(ESCAPED_NUL) ? fieldWithNul(body, path) : null;
  if (field !== null) throw invalidField(field, `${field} must not hold the character NUL.`);
  return body;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notJson(text === "");
  }
}

const ESCAPED_NUL = String.raw`\u0000`;

/** The first such field, named as in every fault: `additional_info.note`. No body is deeper than DEEPEST_BODY. */
function fieldWithNul(value: unknown, path: string): string | null {
  if (typeof value === "string") return value.includes(NUL) ? path || "body" : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes(NUL)) return path || "body";
    const field = fieldWithNul(inner, path === "" ? name : `${path}.${name}`);
    if (field !== null) return field;
  }
  return null;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_TABLE, CLOSE_TABLE] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Checked before parsing; brackets inside strings do not count. 256 KiB take a third of a millisecond. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_TABLE) {
      depth += 1;
      if (depth > DEEPEST_BODY) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_TABLE) depth -= 1;
  }
  return false;
}
