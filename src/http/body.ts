// Reads a request body within a limit of size and time, so that a slow or endless one cannot hold the server.
import { NUL } from "../core/clean-text.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { othersFirst, type Clock } from "../core/clock.ts";
import { inTime } from "../core/within.ts";

export const MOST_BODY_BYTES = 256 * 1024;
/** Of somebody whom nothing identifies yet: names, an e-mail address and a password are far less. */
export const MOST_STRANGERS_BODY_BYTES = 4 * 1024;
/** additional_info goes 64 deep. What checks a body against its schema took 9 s for one of 120,000 brackets. */
const DEEPEST_BODY = 100;
/** Of a large body, looked through at once. */
const BYTES_A_TURN = 1024 * 1024;

const tooLarge = (mostBytes: number) =>
  new AppError("PAYLOAD_TOO_LARGE", `The body must not exceed ${mostBytes / 1024} KiB.`);

const tooSlow = () => new AppError("REQUEST_TIMEOUT", "The body did not arrive in time. Send it in one go.");

export async function readBody(
  request: Request,
  clock: Clock,
  timeoutMs: number,
  mostBytes = MOST_BODY_BYTES,
): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > mostBytes) throw tooLarge(mostBytes);
  // With a length the server itself stops there, and taking the body whole is twice as fast as reading a stream.
  if (length !== null && /^[0-9]+$/.test(length)) {
    const bytes = request.bytes();
    // Most come with their head, and need no timer.
    const arrived: unknown = Bun.peek(bytes);
    return arrived instanceof Uint8Array ? arrived : inTime(clock, timeoutMs, bytes.catch(brokenOff), tooSlow);
  }
  if (!request.body) return new Uint8Array();

  const reader: ByteReader = request.body.getReader();
  try {
    return await inTime(clock, timeoutMs, collect(reader, mostBytes), tooSlow);
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
}

/** The two methods that are needed of a stream's reader. */
interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

async function collect(reader: ByteReader, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done || !value) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    size += value.byteLength;
    if (size > mostBytes) throw tooLarge(mostBytes);
    chunks.push(value);
  }
}

function brokenOff(): never {
  throw new AppError("VALIDATION_ERROR", "The body broke off before its end. Send it again.");
}

/** In lower case, without parameters. A compressed body is refused. */
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

/** Bytes that are not UTF-8 are refused rather than quietly replaced. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length > DEEPEST_BODY && createDepthCheck()(bytes)) throw tooDeep();
  return parsed(decodedText(bytes));
}

/** The same for bodies of megabytes: 8 MiB at once kept everybody else waiting for 108 ms of work. */
export async function parseJsonInTurns(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length <= MOST_BODY_BYTES) return parseJson(bytes);
  const isTooDeep = createDepthCheck();
  for (let from = 0; from < bytes.length; from += BYTES_A_TURN) {
    if (isTooDeep(bytes.subarray(from, from + BYTES_A_TURN))) throw tooDeep();
    await othersFirst();
  }
  const text = decodedText(bytes);
  await othersFirst();
  const body = parsed(text);
  await othersFirst();
  return body;
}

const tooDeep = () =>
  new AppError("VALIDATION_ERROR", `The body must not be nested deeper than ${DEEPEST_BODY} levels.`);
const notJson = (isEmpty: boolean) =>
  new AppError("VALIDATION_ERROR", isEmpty ? "A JSON body is required." : "The body is not valid JSON.");

/** The text of a body. */
export function decodedText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError("VALIDATION_ERROR", "The body is not valid UTF-8.");
  }
}

function parsed(text: string): unknown {
  const body = valueOf(text);
  // JSON has no other way to write it, so nobody else pays for the search.
  const field = text.includes(ESCAPED_NUL) ? fieldWithNul(body, "") : null;
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

/** The first one, named as in every fault: `additional_info.note`. No body is deeper than DEEPEST_BODY. */
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

/** Before it is parsed, a part after the other; brackets inside of text do not count. 256 KiB take a third of a millisecond. */
function createDepthCheck(): (part: Uint8Array) => boolean {
  let depth = 0;
  let isText = false;
  /** The first byte of the next part stands behind a backslash. */
  let isEscaped = false;
  return (part) => {
    for (let at = isEscaped ? 1 : 0; at < part.length; at++) {
      const byte = part[at];
      if (isText) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) isText = false;
        isEscaped = at === part.length;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_LIST || byte === OPEN_TABLE) {
        depth += 1;
        if (depth > DEEPEST_BODY) return true;
      } else if (byte === CLOSE_LIST || byte === CLOSE_TABLE) depth -= 1;
    }
    return false;
  };
}
