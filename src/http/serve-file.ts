// File responses with range requests (RFC 9110, section 14), so a player can seek. Encrypted files are decrypted on the
// way.
import { existsSync } from "node:fs";
import { AppError } from "../core/errors.ts";
import { layoutOf, readRange, type SealedLayout } from "../core/sealed-ranges.ts";
import type { StoredPath } from "../core/stored-file.ts";
import { errorResponse } from "./error-response.ts";
import { infoOf } from "./request-info.ts";

/** More is streamed in pieces of this size, without a content-length. */
const PIECE_BYTES = 2 * 1024 * 1024;
const MOST_AT_ONCE_BYTES = 2 * PIECE_BYTES;

export async function serveFile(
  request: Request,
  { path, keys }: StoredPath,
  headers: Record<string, string>,
): Promise<Response> {
  if (!existsSync(path)) throw new AppError("NOT_FOUND", "This file does not exist, or no longer.");
  const sealed = keys && layoutOf(path, keys);
  const file = Bun.file(path);
  const size = sealed ? sealed.bytes : file.size;
  const body = async (from: number, to: number) =>
    sealed ? plainBody(path, sealed, from, to) : to - from === size ? file : file.slice(from, to);
  const all = { ...headers, "accept-ranges": "bytes" };
  const range = rangeOf(request.headers.get("range"), size);
  if (range === "whole") return new Response(await body(0, size), { headers: all });
  if (range === "outside") {
    const fault = new AppError("RANGE_NOT_SATISFIABLE", `The file has ${size} bytes; the range lies behind them.`);
    return errorResponse(fault, null, infoOf(request).id, {
      ...all,
      "content-type": "application/json",
      "content-range": `bytes */${size}`,
    });
  }
  const [start, end] = range;
  return new Response(await body(start, end + 1), {
    status: 206,
    headers: { ...all, "content-range": `bytes ${start}-${end}/${size}`, "content-length": String(end - start + 1) },
  });
}

async function plainBody(
  path: string,
  sealed: SealedLayout,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (to - from <= MOST_AT_ONCE_BYTES) return readRange(path, sealed, from, to);
  const piece = (at: number) => (at < to ? readRange(path, sealed, at, Math.min(to, at + PIECE_BYTES)) : null);
  let at = from;
  // The next piece is read while this one is sent.
  let next = piece(at);
  // Its failure is reported when it is its turn, also if nobody reads on.
  const read = (promise: typeof next) => void promise?.catch(() => {});
  read(next);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const present = next;
      if (present === null) {
        controller.close();
        return;
      }
      at += PIECE_BYTES;
      next = piece(at);
      read(next);
      controller.enqueue(await present);
    },
    cancel() {
      next = null;
    },
  });
}

/** A single range is served; multiple ranges, or an invalid header, get the whole file, as the RFC allows. */
function rangeOf(header: string | null, size: number): "whole" | "outside" | [start: number, end: number] {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (!match || (from === "" && to === "")) return "whole";
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start < size && start <= end ? [start, end] : "outside";
}
