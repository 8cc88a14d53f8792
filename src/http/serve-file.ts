// File responses with range requests (RFC 9110, section 14), so a player can seek.
import { existsSync } from "node:fs";
import { AppError } from "../core/errors.ts";
import { errorResponse } from "./error-response.ts";
import { infoOf } from "./request-info.ts";

export function serveFile(request: Request, path: string, headers: Record<string, string>): Response {
  if (!existsSync(path)) throw new AppError("NOT_FOUND", "This file does not exist, or no longer.");
  const file = Bun.file(path);
  const size = file.size;
  const all = { ...headers, "accept-ranges": "bytes" };
  const range = rangeOf(request.headers.get("range"), size);
  if (range === "whole") return new Response(file, { headers: all });
  if (range === "outside") {
    const fault = new AppError("RANGE_NOT_SATISFIABLE", `The file has ${size} bytes; the range lies behind them.`);
    return errorResponse(fault, null, infoOf(request).id, {
      ...all,
      "content-type": "application/json",
      "content-range": `bytes */${size}`,
    });
  }
  const [start, end] = range;
  return new Response(file.slice(start, end + 1), {
    status: 206,
    headers: { ...all, "content-range": `bytes ${start}-${end}/${size}`, "content-length": String(end - start + 1) },
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
