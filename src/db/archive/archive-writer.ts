// Writer of the archive: the files first, with their hashes in a separate list, then the list as the manifest, then the
// end.
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, lstatSync, openSync } from "node:fs";
import { bytesAt, CHUNK_BYTES, eachChunk, linesOf, sha256, writeAll } from "./archive-file.ts";
import { BackupError } from "./fault.ts";
import {
  endOf,
  ERASED_ENTRY,
  lineOf,
  LONGEST_LINE_BYTES,
  MANIFEST_ENTRY,
  parseFileLine,
  type BackupHead,
  type FileLine,
} from "./manifest.ts";
import { BLOCK_BYTES, entryBytes, paddingAfter, tarHeader } from "./tar.ts";

export interface ArchiveWriter {
  /** Returns false, and leaves the archive unchanged, if the file is missing or not a regular file. */
  add(name: string, source: string): boolean;
  /**
   * Reads back the archive, removes entries that `isGone` reports, and closes. `isGone` is called last, so the backup
   * contains no file that was deleted before the backup was complete.
   */
  finish(head: BackupHead, isGone: (name: string) => boolean): { files: number; bytes: number };
  /** Closes an unfinished archive. */
  abandon(): void;
}

/** Called with the current step and its progress. */
export type Progress = (step: string, doneBytes: number) => void;

class Archive implements ArchiveWriter {
  readonly #fd: number;
  readonly #list: number;
  #position = 0;
  #listBytes = 0;
  #isOpen = true;

  constructor(
    file: string,
    listFile: string,
    private readonly progress: Progress,
  ) {
    this.#fd = openNew(file);
    this.#list = openNew(listFile);
  }

  add(name: string, source: string): boolean {
    const from = openRegular(source);
    if (from === null) return false;
    try {
      const line = this.#copyIn(name, from);
      if (!line) return false;
      const text = Buffer.from(lineOf(line));
      writeAll(this.#list, text, this.#listBytes);
      this.#listBytes += text.length;
      return true;
    } finally {
      closeSync(from);
    }
  }

  finish(head: BackupHead, isGone: (name: string) => boolean): { files: number; bytes: number } {
    for (const { at, line } of this.#listed()) {
      this.#readBack(at, line);
      this.progress("Reading back", at);
    }
    const files = this.#writeManifest(head, isGone);
    fsyncSync(this.#fd);
    this.#close();
    return { files, bytes: this.#position };
  }

  abandon(): void {
    this.#close();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
    closeSync(this.#list);
  }

  #append(bytes: Buffer): void {
    writeAll(this.#fd, bytes, this.#position);
    this.#position += bytes.length;
  }

  #copyIn(name: string, from: number): FileLine | null {
    const { size: bytes } = fstatSync(from);
    const start = this.#position;
    const hash = sha256();
    this.#append(tarHeader(name, bytes));
    const copied = eachChunk(from, 0, bytes, (chunk) => {
      hash.update(chunk);
      this.#append(chunk);
      this.progress("Writing", this.#position);
    });
    if (copied < bytes) {
      ftruncateSync(this.#fd, start);
      this.#position = start;
      return null;
    }
    this.#append(Buffer.alloc(paddingAfter(bytes)));
    return { name, bytes, sha256: hash.digest("hex") };
  }

  /** The bytes on disk must equal those read from the source. */
  #readBack(at: number, line: FileLine): void {
    const hash = sha256();
    eachChunk(this.#fd, at + BLOCK_BYTES, line.bytes, (chunk) => void hash.update(chunk));
    const isSame =
      hash.digest("hex") === line.sha256 && bytesAt(this.#fd, at, BLOCK_BYTES).equals(tarHeader(line.name, line.bytes));
    if (!isSame) throw new BackupError(`What was written of ${line.name} is not what was read. Check the disk.`);
  }

  #takeOut(at: number, { bytes }: FileLine): FileLine {
    writeAll(this.#fd, tarHeader(ERASED_ENTRY, bytes), at);
    const zeros = Buffer.alloc(Math.min(CHUNK_BYTES, bytes));
    const hash = sha256();
    for (let done = 0; done < bytes; done += zeros.length) {
      const piece = zeros.subarray(0, Math.min(zeros.length, bytes - done));
      writeAll(this.#fd, piece, at + BLOCK_BYTES + done);
      hash.update(piece);
    }
    return { name: ERASED_ENTRY, bytes, sha256: hash.digest("hex") };
  }

  *#listed(): Generator<{ at: number; line: FileLine }> {
    let at = 0;
    for (const text of linesOf(this.#list, { at: 0, bytes: this.#listBytes, longestLine: LONGEST_LINE_BYTES })) {
      const line = text === null ? null : parseFileLine(text);
      if (!line) throw new BackupError("The archive's index cannot be read back. Check the disk.");
      yield { at, line };
      at += entryBytes(line.bytes);
    }
  }

  #writeManifest(head: BackupHead, isGone: (name: string) => boolean): number {
    const headerAt = this.#position;
    const hash = sha256();
    let files = 0;
    let held: Buffer[] = [];
    let heldBytes = 0;
    const give = (text: string) => {
      const line = Buffer.from(text);
      hash.update(line);
      held.push(line);
      heldBytes += line.length;
      if (heldBytes >= CHUNK_BYTES) release();
    };
    const release = () => {
      this.#append(Buffer.concat(held));
      held = [];
      heldBytes = 0;
    };
    this.#append(Buffer.alloc(BLOCK_BYTES));
    give(lineOf(head));
    for (const { at, line } of this.#listed()) {
      const stays = !isGone(line.name);
      give(lineOf(stays ? line : this.#takeOut(at, line)));
      if (stays) files++;
    }
    release();
    const manifestBytes = this.#position - headerAt - BLOCK_BYTES;
    writeAll(this.#fd, tarHeader(MANIFEST_ENTRY, manifestBytes), headerAt);
    this.#append(Buffer.alloc(paddingAfter(manifestBytes)));
    this.#append(endOf({ manifestBytes, manifestSha256: hash.digest("hex") }));
    return files;
  }
}

/** `listFile` is a temporary file used while the archive is written. Neither file may exist yet. */
export function createArchive(file: string, listFile: string, progress: Progress): ArchiveWriter {
  return new Archive(file, listFile, progress);
}

/** Private from the first byte: the umask can only narrow a mode given at creation. */
function openNew(file: string): number {
  return openSync(file, "wx+", 0o600);
}

/** Null if there is none. Symbolic links are not followed, because their target may be outside the data folder. */
function openRegular(file: string): number | null {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    // Deleted since the lstat.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
