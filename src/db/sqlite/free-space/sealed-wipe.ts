// Rewrites pages of an encrypted file outside SQLite. Zeroing some bytes of a page changes all of its ciphertext, so a
// power loss halfway would lose the page. The new pages are therefore first written to a file beside the database, and
// from there into the database; after a crash or an error the next wipe or the next start does it again. Only a page
// whose sectors are the old or the new ones is written again, because a later commit may have changed the others.
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { writeAll } from "../../../core/sealed-file.ts";
import { flush } from "../../archive/archive-file.ts";
import { PAGE_BYTES } from "../cipher.ts";

export interface NewPage {
  number: number;
  bytes: Buffer;
  /** The page as it is in the file. */
  before: Buffer;
}

/** A page in the file beside the database. The old page has what was erased, so only checksums of it are kept. */
interface KeptPage {
  number: number;
  bytes: Buffer;
  sums: readonly number[];
}

/** The least that a disk writes at once. */
const SECTOR_BYTES = 512;
const SECTORS = PAGE_BYTES / SECTOR_BYTES;
const NUMBER_BYTES = 4;
const SUM_BYTES = 4;
const ENTRY_BYTES = NUMBER_BYTES + SECTORS * SUM_BYTES + PAGE_BYTES;
const HASH_BYTES = 32;
const nameOf = (databaseFile: string) => `${databaseFile}-wipe`;

/** The caller holds the write lock, and the WAL is empty. */
export async function rewritePages(
  file: string,
  handle: Pick<FileHandle, "fd" | "sync">,
  pages: readonly NewPage[],
): Promise<void> {
  const beside = nameOf(file);
  const folder = await open(dirname(file), "r");
  try {
    if (existsSync(beside)) {
      repair(handle.fd, decoded(readFileSync(beside)));
      await handle.sync();
    }
    await writeFlushed(beside, encoded(pages));
    await folder.sync();
    for (const { number, bytes } of pages) writeAll(handle.fd, bytes, (number - 1) * PAGE_BYTES);
    await handle.sync();
    await unlink(beside);
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeFlushed(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Before the database is opened, by the holder of the folder's lock. */
export function finishWipe(file: string): void {
  const beside = nameOf(file);
  if (!existsSync(beside)) return;
  const pages = decoded(readFileSync(beside));
  if (pages.length > 0) {
    const fd = openSync(file, "r+");
    try {
      repair(fd, pages);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
  rmSync(beside);
  flush(dirname(file));
}

function repair(fd: number, pages: readonly KeptPage[]): void {
  const present = Buffer.alloc(PAGE_BYTES);
  for (const page of pages) {
    const at = (page.number - 1) * PAGE_BYTES;
    if (readSync(fd, present, 0, PAGE_BYTES, at) === PAGE_BYTES && isOldOrNew(present, page))
      writeAll(fd, page.bytes, at);
  }
}

/** Every commit encrypts a whole page anew, so it changes every sector. */
function isOldOrNew(present: Buffer, { bytes, sums }: KeptPage): boolean {
  const isNew = sumsOf(bytes);
  return sumsOf(present).every((sum, i) => sum === sums[i] || sum === isNew[i]);
}

const sumsOf = (page: Buffer): number[] =>
  Array.from({ length: SECTORS }, (_, i) => Bun.hash.crc32(page.subarray(i * SECTOR_BYTES, (i + 1) * SECTOR_BYTES)));

function encoded(pages: readonly NewPage[]): Buffer {
  const body = Buffer.concat(
    pages.flatMap(({ number, before, bytes }) => [
      Buffer.from(Uint32Array.of(number, ...sumsOf(before)).buffer),
      bytes,
    ]),
  );
  return Buffer.concat([sha256(body), body]);
}

/** Empty for an incomplete file: then nothing was written to the database yet. */
function decoded(bytes: Buffer): KeptPage[] {
  const body = bytes.subarray(HASH_BYTES);
  if (bytes.length < HASH_BYTES || !sha256(body).equals(bytes.subarray(0, HASH_BYTES))) return [];
  return Array.from({ length: body.length / ENTRY_BYTES }, (_, i) => {
    const entry = body.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES);
    const sums = Array.from({ length: SECTORS }, (__, sector) => entry.readUInt32LE(NUMBER_BYTES + sector * SUM_BYTES));
    return { number: entry.readUInt32LE(0), sums, bytes: entry.subarray(ENTRY_BYTES - PAGE_BYTES) };
  });
}

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();
