// Zeroes leftovers of deleted rows in the free space of pages: in the pages known to be dirty, or, if they are not
// known, in all pages.
import { constants, statSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { othersFirst } from "../../../core/clock.ts";
import { sharedRun } from "../../../core/shared-run.ts";
import { LARGEST_FILE_BYTES } from "./free-span.ts";
import type { Pages } from "./pages.ts";
import { zeroing, type ZeroingDeps } from "./zeroing.ts";

export interface FreeSpace {
  /**
   * Removes everything deleted before the call. Concurrent calls share one run. Returns false if a reader or another
   * program blocked it: copies may then remain.
   */
  wipe(): Promise<boolean>;
  /** Number of runs. */
  readonly wipes: number;
  /** Number of runs that scanned the whole file. */
  readonly looksThroughFile: number;
  /** Stops the current run and starts no other. */
  stop(): Promise<void>;
  /** Only after every connection is closed: closing any descriptor of a file drops the process's POSIX locks on it. */
  close(): Promise<void>;
}

/** Read size of a full scan, zeroed under one hold of the write lock: at most about 20 ms. */
const BYTES_PER_READ = 4 * 1024 * 1024;
/** Dirty pages per hold of the lock: some milliseconds, half of them for the disk. */
const PAGES_PER_HOLD = 256;
/** Thousands of rows may be written between two holds: this bounds their number, regardless of the number of pages. */
const MOST_HOLDS = 32;

export function createFreeSpace(deps: ZeroingDeps): FreeSpace {
  const { file, pages: kind, writer, checkpoints, dirty, mover } = deps;
  const zero = zeroing(deps);
  let opened: Promise<FileHandle> | undefined;
  let wipes = 0;
  let looksThroughFile = 0;
  let isStopped = false;

  async function zeroDirty(handle: FileHandle, pageBytes: number): Promise<boolean> {
    const pages = dirty.sorted();
    const perHold = Math.max(PAGES_PER_HOLD, Math.ceil(pages.length / MOST_HOLDS));
    for (let done = 0; done < pages.length; done += perHold) {
      if (done > 0) await othersFirst();
      if (isStopped || !(await zero(handle, pages.slice(done, done + perHold), pageBytes))) return false;
    }
    return true;
  }

  /** With an empty WAL, everything is in the file. Later writes are tracked as dirty, as always. */
  async function zeroAll(handle: FileHandle, pageBytes: number): Promise<boolean> {
    looksThroughFile += 1;
    const isKnownNow = dirty.startOver();
    const chunk = Buffer.allocUnsafe(Math.min(BYTES_PER_READ, statSync(file).size));
    for (let at = 0; ; at += chunk.length) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      if (isStopped) return false;
      const used = pagesWithLeftovers(kind, chunk.subarray(0, bytesRead), { first: at / pageBytes + 1, pageBytes });
      if (used.length > 0 && !(await zero(handle, used, pageBytes))) return false;
      if (bytesRead < chunk.length) return isKnownNow();
    }
  }

  async function run(): Promise<boolean> {
    if (isStopped) return false;
    wipes += 1;
    const handle = await (opened ??= open(file, constants.O_RDWR));
    const isSmall = statSync(file).size < LARGEST_FILE_BYTES;
    if (!isSmall || !(await mover.between(() => checkpoints.runAndBegin("TRUNCATE")))) return false;
    const pageBytes = Number(writer.pragma("page_size", { simple: true }));
    if (!dirty.isKnown && !(await zeroAll(handle, pageBytes))) return false;
    return (await zeroDirty(handle, pageBytes)) && dirty.isKnown;
  }

  const wipe = sharedRun(run);
  return {
    wipe,
    get wipes() {
      return wipes;
    },
    get looksThroughFile() {
      return looksThroughFile;
    },
    async stop() {
      isStopped = true;
      await wipe().catch(() => {});
    },
    async close() {
      await (await opened)?.close();
      opened = undefined;
    },
  };
}

function pagesWithLeftovers(
  kind: Pages,
  chunk: Buffer,
  { first, pageBytes }: { first: number; pageBytes: number },
): number[] {
  const found: number[] = [];
  for (let at = 0, page = first; at + pageBytes <= chunk.length; at += pageBytes, page += 1) {
    if (kind.hasLeftovers({ bytes: chunk, at, pageBytes }, page)) found.push(page);
  }
  return found;
}
