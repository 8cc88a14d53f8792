// Zeroes leftovers in given pages of the database file, plain or encrypted, while nobody else can change it.
import { readSync, statSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { FileKey } from "../cipher.ts";
import { beginAtOnce, type Connection } from "../connection.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { DirtyPages } from "./dirty-pages.ts";
import type { Pages } from "./pages.ts";
import { rewritePages, type NewPage } from "./sealed-wipe.ts";
import type { WalMover } from "./wal-mover.ts";

export interface ZeroingDeps {
  file: string;
  key?: FileKey;
  pages: Pages;
  writer: Connection;
  reader: Connection;
  checkpoints: Checkpoints;
  dirty: DirtyPages;
  mover: WalMover;
}

/** Returns false if a reader or another program blocked it. */
export type ZeroPages = (handle: FileHandle, pages: readonly number[], pageBytes: number) => Promise<boolean>;

/** One hold of the write lock for each call. */
export function zeroing(deps: ZeroingDeps): ZeroPages {
  const { file, writer, checkpoints, dirty, mover } = deps;

  const zeroNow: ZeroPages = async (handle, pages, pageBytes) => {
    // With an empty WAL and the write lock held, no other program can change the file.
    if (!(await checkpoints.run("TRUNCATE")) || !beginAtOnce(writer)) return false;
    try {
      if (walBytes(file) > 0 || !dirty.isUntouched()) return false;
      await writeClean(deps, handle, cleanPages(deps.pages, handle.fd, pages, pageBytes));
      dirty.changed();
      dirty.cleaned(pages);
    } finally {
      writer.exec("ROLLBACK");
    }
    await dropCaches(deps);
    return true;
  };

  return (...given) => mover.between(() => zeroNow(...given));
}

function cleanPages(kind: Pages, fd: number, numbers: readonly number[], pageBytes: number): NewPage[] {
  return numbers.flatMap((number) => {
    const page = Buffer.alloc(pageBytes);
    // The file may have been truncated.
    if (readSync(fd, page, 0, pageBytes, (number - 1) * pageBytes) < pageBytes) return [];
    const bytes = kind.cleaned(page, number);
    return bytes ? [{ number, bytes, before: page }] : [];
  });
}

async function writeClean(
  { file, key = null, mover }: ZeroingDeps,
  handle: FileHandle,
  clean: readonly NewPage[],
): Promise<void> {
  if (key === null) await writeInPlace(mover, handle, clean);
  else if (clean.length > 0) await rewritePages(file, handle, clean);
}

/** SQLite ignores unused bytes, so an interrupted write of zeros is harmless. */
async function writeInPlace(mover: WalMover, handle: FileHandle, clean: readonly NewPage[]): Promise<void> {
  for (const { number, bytes } of clean) writeSync(handle.fd, bytes, 0, bytes.length, (number - 1) * bytes.length);
  const syncing = mover.sync(handle);
  if (syncing) await syncing;
}

/**
 * Cached pages would write the old bytes back with their next change. Other processes drop their caches when the WAL
 * is restarted, even if it is empty.
 */
async function dropCaches({ writer, reader, checkpoints }: ZeroingDeps): Promise<void> {
  writer.pragma("shrink_memory");
  reader.pragma("shrink_memory");
  await checkpoints.runAndBegin("TRUNCATE");
}

function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
