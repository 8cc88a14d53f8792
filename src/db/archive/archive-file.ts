// Reading and writing a backup's file in pieces, so that its size never matters to memory.
import { createHash, type Hash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, statfsSync, writeSync } from "node:fs";
import { BackupError } from "./fault.ts";

/** Large enough that reading costs more than asking, small enough for the smallest machine. */
export const CHUNK_BYTES = 1024 * 1024;

export const sha256 = (): Hash => createHash("sha256");

/** Hands over `bytes` bytes from `at`, or as many as there are, and answers how many that were. The piece is reused. */
export function eachChunk(fd: number, at: number, bytes: number, use: (chunk: Buffer, at: number) => void): number {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(bytes, 1)));
  let done = 0;
  while (done < bytes) {
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - done), at + done);
    if (count === 0) break;
    use(buffer.subarray(0, count), at + done);
    done += count;
  }
  return done;
}

/** Shorter than asked for where the file ends. */
export function bytesAt(fd: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let done = 0;
  while (done < bytes) {
    const count = readSync(fd, buffer, done, bytes - done, at + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

export function writeAll(fd: number, bytes: Buffer, at: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

/** Lines without their ends, of a part of a file. A last line without an end, or a longer one than allowed, is null. */
export function* linesOf(
  fd: number,
  range: { at: number; bytes: number; longestLine: number },
): Generator<string | null> {
  let rest = Buffer.alloc(0);
  for (let done = 0; done < range.bytes;) {
    const chunk = bytesAt(fd, range.at + done, Math.min(CHUNK_BYTES, range.bytes - done));
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

/** Before anything is written: a disk that fills half-way would be found out by the calls, too. */
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
