// Chunked reading and writing of backup files, so memory use does not depend on their size.
import { createHash, type Hash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, statfsSync, writeSync } from "node:fs";
import type { ReadableFile } from "../../core/sealed-file.ts";
import { BackupError } from "./fault.ts";

/** A file descriptor, or the content of an encrypted backup. */
export type Source = number | Pick<ReadableFile, "readInto">;

/** Large enough to amortise system calls, small enough for the smallest machine. */
export const CHUNK_BYTES = 1024 * 1024;

export const sha256 = (): Hash => createHash("sha256");

/** Passes `bytes` bytes from `at`, or as many as exist, to `use`, and returns their number. The buffer is reused. */
export function eachChunk(from: Source, at: number, bytes: number, use: (chunk: Buffer, at: number) => void): number {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(bytes, 1)));
  let done = 0;
  while (done < bytes) {
    const count = readSome(from, buffer.subarray(0, Math.min(buffer.length, bytes - done)), at + done);
    if (count === 0) break;
    use(buffer.subarray(0, count), at + done);
    done += count;
  }
  return done;
}

/** Shorter than requested at the end of the file. */
export function bytesAt(from: Source, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let done = 0;
  while (done < bytes) {
    const count = readSome(from, buffer.subarray(done), at + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

function readSome(from: Source, buffer: Buffer, at: number): number {
  return typeof from === "number" ? readSync(from, buffer, 0, buffer.length, at) : from.readInto(buffer, at);
}

export function writeAll(fd: number, bytes: Buffer, at: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

/**
 * Lines of a file range, without line ends. Yields null for an unterminated last line and for a line that is too long.
 */
export function* linesOf(
  from: Source,
  range: { at: number; bytes: number; longestLine: number },
): Generator<string | null> {
  let rest = Buffer.alloc(0);
  for (let done = 0; done < range.bytes;) {
    const chunk = bytesAt(from, range.at + done, Math.min(CHUNK_BYTES, range.bytes - done));
    if (chunk.length === 0) break;
    done += chunk.length;
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      yield rest.toString("utf8", start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > range.longestLine) break;
  }
  if (rest.length > 0) yield null;
}

export function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Checked before anything is written: a disk that fills up halfway would affect calls, too. */
export function assertDiskSpace(folder: string, neededBytes: number, what: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  throw new BackupError(
    `${what} needs ${megabytes(neededBytes)} in ${folder}, where ${megabytes(freeBytes)} are free.`,
  );
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
