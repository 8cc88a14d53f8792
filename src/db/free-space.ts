// Zeroes the free space inside database pages. secure_delete overwrites a deleted row where it lies, but when SQLite rebuilds
// a page and moves a row to its neighbour, the old copy stays behind in the page's free space (seen for 1 erased call in 400).
import { constants, fdatasyncSync, readSync, statSync, writeSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { sharedRun } from "../core/shared-run.ts";
import { checkpointAtOnce, type Connection } from "./connection.ts";
import { isBusy } from "./direct-dialect.ts";

export interface FreeSpace {
  /**
   * Takes everything out that was deleted before the call. A pass reads the whole file, so calls that come together share
   * one. Answers false where a reader kept the WAL from being emptied: copies may then remain.
   */
  wipe(): Promise<boolean>;
  /** How many passes there were. */
  readonly passes: number;
  /** Only after every connection is closed: closing any descriptor of a file drops the process's POSIX locks on it. */
  close(): Promise<void>;
}

interface Span {
  start: number;
  length: number;
}

/** From here on a page number may have a first byte other than 0, and pages could no longer be told apart. */
const LARGEST_FILE_BYTES = 2 ** 24 * 4096;

/** Read at once, and the most that one hold of the write lock looks at: some milliseconds. */
const CHUNK_BYTES = 4 * 1024 * 1024;

export function createFreeSpace(file: string, connections: { writer: Connection; reader: Connection }): FreeSpace {
  const { writer, reader } = connections;
  let opened: Promise<FileHandle> | undefined;
  let passes = 0;

  /** Unused bytes mean nothing to SQLite, so a write of zeros that is cut off harms nothing. */
  function zero(fd: number, pages: readonly number[], pageBytes: number): boolean {
    // With an empty WAL and the write lock in hand nobody else can change the file.
    if (writer.inTransaction || !checkpointAtOnce(writer)) return false;
    if (!beginAlone(writer)) return false;
    try {
      if (walBytes(file) > 0) return false;
      const page = Buffer.alloc(pageBytes);
      const zeros = Buffer.alloc(pageBytes);
      for (const index of pages) {
        readSync(fd, page, 0, pageBytes, index * pageBytes);
        const span = freeSpanOf(page, index === 0);
        if (span) writeSync(fd, zeros, 0, span.length, index * pageBytes + span.start);
      }
      fdatasyncSync(fd);
    } finally {
      writer.exec("ROLLBACK");
    }
    // Cached pages would bring the old bytes back with the next change to them.
    writer.pragma("shrink_memory");
    reader.pragma("shrink_memory");
    return true;
  }

  async function pass(): Promise<boolean> {
    passes += 1;
    if (statSync(file).size >= LARGEST_FILE_BYTES || !checkpointAtOnce(writer)) return false;
    const handle = await (opened ??= open(file, constants.O_RDWR));
    const pageBytes = Number(writer.pragma("page_size", { simple: true }));
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; ; at += CHUNK_BYTES) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
      const used = pagesWithLeftovers(chunk.subarray(0, bytesRead), at, pageBytes);
      if (used.length > 0 && !zero(handle.fd, used, pageBytes)) return false;
      if (bytesRead < CHUNK_BYTES) return true;
    }
  }

  return {
    wipe: sharedRun(pass),
    get passes() {
      return passes;
    },
    async close() {
      await (await opened)?.close();
      opened = undefined;
    },
  };
}

/** False while another process writes. */
function beginAlone(writer: Connection): boolean {
  try {
    writer.exec("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function pagesWithLeftovers(chunk: Buffer, offset: number, pageBytes: number): number[] {
  const zeros = Buffer.alloc(pageBytes);
  const found: number[] = [];
  for (let at = 0; at + pageBytes <= chunk.length; at += pageBytes) {
    const page = chunk.subarray(at, at + pageBytes);
    const span = freeSpanOf(page, offset + at === 0);
    if (!span) continue;
    if (!page.subarray(span.start, span.start + span.length).equals(zeros.subarray(0, span.length)))
      found.push((offset + at) / pageBytes);
  }
  return found;
}

/**
 * https://sqlite.org/fileformat2.html, section 1.6: between the cell pointers and the first cell. Null for a page that is no
 * b-tree page: the others begin with a page number, whose first byte stays 0 in a file of less than 64 GiB.
 */
function freeSpanOf(page: Buffer, isFirst: boolean): Span | null {
  const header = isFirst ? 100 : 0;
  const kind = page.readUInt8(header);
  const isInterior = kind === 2 || kind === 5;
  if (!isInterior && kind !== 10 && kind !== 13) return null;
  const cells = page.readUInt16BE(header + 3);
  // 0 stands for 65,536.
  const firstCell = page.readUInt16BE(header + 5) || 65_536;
  const start = header + (isInterior ? 12 : 8) + 2 * cells;
  if (firstCell > page.length || start >= firstCell) return null;
  return { start, length: firstCell - start };
}

function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
