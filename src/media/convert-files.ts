// Encrypts or decrypts the recordings and captures that are there: one file after the other, each replaced by one
// rename, so it can be interrupted at any moment and run again. No server may run on the folder.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf } from "../core/errors.ts";
import { createLike } from "../core/given-owner.ts";
import { isSealedFile, openReadable, sealInto, writeAll, type ReadableFile } from "../core/sealed-file.ts";
import { readHead, HEAD_BYTES, SealedFileError, type FileKey } from "../core/sealed-frames.ts";
import { SHORT_FRAME_BYTES } from "../core/sealed-writer.ts";
import type { ReadingKeys } from "../core/stored-file.ts";
import { bytesAt } from "../db/archive/archive-file.ts";
import { unfinishedOf } from "./private-folder.ts";
import { salvageSealedRecording } from "./salvage.ts";

export const FILE_FOLDERS = ["recordings", "captures"] as const;
const CONVERTING = ".converting";
const CHUNK_BYTES = 1024 * 1024;

export interface Converted {
  /** Files that were changed. */
  files: number;
  bytes: number;
  /** Damaged ones, or of a key that is not there; they stay as they are. */
  failed: string[];
}

/** `from` opens what is encrypted, by any key; `to` is null for plain files. Stops at the first error of the disk. */
export function convertFiles(
  dataDir: string,
  from: ReadingKeys,
  to: FileKey | null,
  progress: (done: number, total: number) => void = () => {},
): Converted {
  const all = FILE_FOLDERS.flatMap((folder) => pathsIn(join(dataDir, folder)));
  const result: Converted = { files: 0, bytes: 0, failed: [] };
  for (const [i, path] of all.entries()) {
    try {
      if (isRight(path, to)) continue;
      result.bytes += convert(path, from, to);
      result.files++;
    } catch (error) {
      if (!(error instanceof SealedFileError)) throw notConverted(path, error);
      result.failed.push(path);
    }
    progress(i + 1, all.length);
  }
  for (const folder of FILE_FOLDERS) flushFolder(join(dataDir, folder));
  return result;
}

/** An error of the disk; the caller stays in the state in which the same command continues. */
function notConverted(path: string, cause: unknown): AppError {
  const words = `${path} was not converted: ${messageOf(cause)}. Mend that, and run the same command again.`;
  return new AppError("UNAVAILABLE", words, { cause });
}

/** Removes what an interrupted run, or a server that was killed, left unfinished. */
function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const isLeft = (name: string) => name.endsWith(CONVERTING) || name.endsWith(unfinishedOf(""));
  for (const name of names) if (isLeft(name)) rmSync(join(folder, name), { force: true });
  return names.filter((name) => !isLeft(name)).map((name) => join(folder, name));
}

function isRight(path: string, to: FileKey | null): boolean {
  if (to === null) return !isSealedFile(path);
  const fd = openSync(path, "r");
  try {
    return readHead(bytesAt(fd, 0, HEAD_BYTES))?.keyId === to.id;
  } finally {
    closeSync(fd);
  }
}

function convert(path: string, keys: ReadingKeys, key: FileKey | null): number {
  const copy = `${path}${CONVERTING}`;
  const from = openRepaired(path, keys);
  try {
    const to = createLike(path, copy);
    try {
      if (key) sealInto(to, 0, from, { keyId: key.id, key: key.key, frameBytes: SHORT_FRAME_BYTES });
      else {
        const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        for (let at = 0; at < from.bytes;) at += writeAll(to, chunk.subarray(0, from.readInto(chunk, at)), at);
      }
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
    renameSync(copy, path);
    return from.bytes;
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  } finally {
    from.close();
  }
}

/** A recording that was cut off is ended first: the next start may no longer have its key. */
function openRepaired(path: string, keys: ReadingKeys): ReadableFile {
  try {
    return openReadable(path, keys);
  } catch (error) {
    const isMaybeCutOff = error instanceof SealedFileError && path.endsWith(".wav");
    if (!isMaybeCutOff || salvageSealedRecording(path, (id) => keys?.byId(id)) === 0) throw error;
    return openReadable(path, keys);
  }
}

function flushFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
