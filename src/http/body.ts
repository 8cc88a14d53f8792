// Reads a request body within a limit of size and time, so that a slow or endless one cannot hold the server.
import { AppError } from "../core/errors.ts";
import type { Clock } from "../core/clock.ts";

export const MOST_BODY_BYTES = 256 * 1024;

const tooLarge = (mostBytes: number) =>
  new AppError("PAYLOAD_TOO_LARGE", `The body must not exceed ${mostBytes / 1024} KiB.`);

export async function readBody(
  request: Request,
  clock: Clock,
  timeoutMs: number,
  mostBytes = MOST_BODY_BYTES,
): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > mostBytes) throw tooLarge(mostBytes);
  // With a length the server itself stops there, and taking the body whole is twice as fast as reading a stream.
  if (length !== null && /^[0-9]+$/.test(length)) return inTime(clock, timeoutMs, request.bytes().catch(brokenOff));
  if (!request.body) return new Uint8Array();

  const reader: ByteReader = request.body.getReader();
  try {
    return await inTime(clock, timeoutMs, collect(reader, mostBytes));
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
}

async function inTime<T>(clock: Clock, timeoutMs: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const cancelTimer = clock.after(timeoutMs, () => {
    timeout.reject(new AppError("REQUEST_TIMEOUT", "The body did not arrive in time. Send it in one go."));
  });
  // After a timeout nobody waits for the rest, however it ends.
  work.catch(() => {});
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    cancelTimer();
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

export function assertJsonType(request: Request): void {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, not compressed.");
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)) return;
  throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON with Content-Type: application/json.");
}

/** Bytes that are not UTF-8 are refused rather than quietly replaced. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    throw new AppError(
      "VALIDATION_ERROR",
      bytes.length === 0 ? "A JSON body is required." : "The body is not valid JSON.",
    );
  }
}
