// Reader that verifies an entire archive: every header is regenerated and compared, every content is hashed, every gap
// must be zeros, and entries missing from the manifest are rejected. A change of any bit is detected.
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { ReadableFile } from "../../core/sealed-file.ts";
import { SealedFileError } from "../../core/sealed-frames.ts";
import { messageOf } from "../../core/errors.ts";
import { latestVersion } from "../migrations.ts";
import { bytesAt, eachChunk, linesOf, sha256, type Source } from "./archive-file.ts";
import { BackupError } from "./fault.ts";
import {
  DATABASE_ENTRY,
  END_BYTES,
  ERASED_ENTRY,
  FORMAT,
  LONGEST_LINE_BYTES,
  MANIFEST_ENTRY,
  manifestAt,
  parseEnd,
  parseFileLine,
  parseHead,
  type BackupEnd,
  type BackupHead,
  type FileLine,
} from "./manifest.ts";
import { isSealedArchive, openSealedArchive } from "./sealed-archive.ts";
import { BLOCK_BYTES, entryBytes, paddingAfter, tarHeader } from "./tar.ts";

export interface ArchiveFacts {
  head: BackupHead;
  /** Number of files besides the database. */
  files: number;
  bytes: number;
}

/** Receives each content while it is verified; nothing may be used before the whole archive is verified. */
export interface ArchiveSink {
  begin(line: FileLine): void;
  chunk(bytes: Buffer): void;
  end(line: FileLine): void;
}

const NO_SINK: ArchiveSink = { begin() {}, chunk() {}, end() {} };

/** Null if there is no key. It may ask a command. */
export type RootKeysGiver = () => readonly Uint8Array[];

const NO_ROOT_KEYS: RootKeysGiver = () => [];

export type BackupKind = "archive" | "database";

/** Earlier versions wrote the bare database. Throws for any other file. */
export function kindOf(file: string): BackupKind {
  return withFile(file, (fd) => {
    const beginning = bytesAt(fd, 0, BLOCK_BYTES).toString("latin1");
    if (beginning.startsWith("SQLite format 3\0")) return "database";
    if (isSealedArchive(beginning)) return "archive";
    const isOurs = beginning.startsWith(`${DATABASE_ENTRY}\0`) || endIn(fd, fstatSync(fd).size) !== null;
    if (!isOurs) throw new BackupError(`${file} is not a Ringward backup, or its beginning and end are damaged.`);
    return "archive";
  });
}

export interface ArchiveCheck {
  sink?: ArchiveSink | undefined;
  /** Receives the number of bytes read. */
  progress?: ((doneBytes: number) => void) | undefined;
  /** Asked for an encrypted backup only. */
  rootKeys?: RootKeysGiver | undefined;
}

/** Throws a BackupError that names the damaged part. */
export function checkArchive(file: string, check: ArchiveCheck = {}): ArchiveFacts {
  const { sink = NO_SINK, progress = () => {}, rootKeys = NO_ROOT_KEYS } = check;
  return withContent(file, rootKeys, (fd, size) => {
    const { head, lines, manifestStart } = begun(fd, size, file);
    const refuse = (why: string) => damaged(file, why);
    let at = 0;
    let files = 0;
    let previous = "";
    for (const text of lines) {
      const line = text === null ? null : parseFileLine(text);
      // Names are sorted, so duplicates are detected without keeping a million names in memory.
      const isFirst = at === 0;
      const inOrder =
        line &&
        isFirst === (line.name === DATABASE_ENTRY) &&
        (line.name === ERASED_ENTRY || line.name > previous || isFirst);
      if (!line || !inOrder)
        throw refuse(`its manifest names something that does not belong there (line ${files + 2}).`);
      if (at + entryBytes(line.bytes) > manifestStart) throw refuse(`${line.name} is not all there.`);
      if (!isIntact(fd, { at, line, sink, progress })) throw refuse(`${line.name} was changed.`);
      at += entryBytes(line.bytes);
      if (line.name !== ERASED_ENTRY && !isFirst) {
        previous = line.name;
        files++;
      }
    }
    if (at === 0 || at !== manifestStart) throw refuse("it holds something that its manifest does not name.");
    return { head, files, bytes: size };
  });
}

/** Its first line, before any content is read. */
export function headOf(file: string, rootKeys: RootKeysGiver = NO_ROOT_KEYS): BackupHead {
  return withContent(file, rootKeys, (fd, size) => begun(fd, size, file).head);
}

/** The archive itself, which is inside an encrypted backup. */
function withContent<T>(file: string, rootKeys: RootKeysGiver, work: (from: Source, size: number) => T): T {
  return withFile(file, (fd) => {
    const { size } = fstatSync(fd);
    if (!isSealedArchive(bytesAt(fd, 0, BLOCK_BYTES).toString("latin1"))) return work(fd, size);
    const content: ReadableFile = openSealedArchive(fd, file, rootKeys());
    try {
      return work(content, content.bytes);
    } catch (error) {
      if (!(error instanceof SealedFileError)) throw error;
      throw new BackupError(`${file} is damaged: ${error.message}`, { cause: error });
    }
  });
}

const damaged = (file: string, why: string) => new BackupError(`${file} is damaged: ${why}`);

function begun(fd: Source, size: number, file: string) {
  const end = endIn(fd, size);
  if (!end) throw damaged(file, "its end is missing or was changed, so it may be cut short.");
  const manifestStart = manifestAt(size, end);
  const lines = checkedManifest(fd, manifestStart, end);
  if (!lines) throw damaged(file, "its manifest was changed.");
  const head = parseHead(lines.next().value ?? "");
  if (!head) throw damaged(file, "its manifest does not begin as it should.");
  refuseNewer(file, head);
  return { head, lines, manifestStart };
}

function isIntact(
  fd: Source,
  entry: { at: number; line: FileLine; sink: ArchiveSink; progress: (doneBytes: number) => void },
): boolean {
  const { at, line, sink, progress } = entry;
  if (!bytesAt(fd, at, BLOCK_BYTES).equals(tarHeader(line.name, line.bytes))) return false;
  const hash = sha256();
  const isKept = line.name !== ERASED_ENTRY;
  if (isKept) sink.begin(line);
  eachChunk(fd, at + BLOCK_BYTES, line.bytes, (chunk, chunkAt) => {
    hash.update(chunk);
    if (isKept) sink.chunk(chunk);
    progress(chunkAt);
  });
  const isSame =
    hash.digest("hex") === line.sha256 && isZeros(fd, at + BLOCK_BYTES + line.bytes, paddingAfter(line.bytes));
  if (isSame && isKept) sink.end(line);
  return isSame;
}

function endIn(fd: Source, size: number): BackupEnd | null {
  return size < END_BYTES ? null : parseEnd(bytesAt(fd, size - END_BYTES, END_BYTES));
}

/** The manifest's lines after its hash is verified; null if the hash differs. */
function checkedManifest(fd: Source, start: number, end: BackupEnd): Generator<string | null, void> | null {
  const { manifestBytes: bytes, manifestSha256 } = end;
  if (start < 0 || !bytesAt(fd, start, BLOCK_BYTES).equals(tarHeader(MANIFEST_ENTRY, bytes))) return null;
  const hash = sha256();
  eachChunk(fd, start + BLOCK_BYTES, bytes, (chunk) => void hash.update(chunk));
  if (hash.digest("hex") !== manifestSha256) return null;
  if (!isZeros(fd, start + BLOCK_BYTES + bytes, paddingAfter(bytes))) return null;
  return linesOf(fd, { at: start + BLOCK_BYTES, bytes, longestLine: LONGEST_LINE_BYTES });
}

function refuseNewer(file: string, head: BackupHead): void {
  const isNewer = head.format > FORMAT || head.schema > latestVersion();
  if (!isNewer) return;
  throw new BackupError(
    `${file} was made by a newer Ringward (${head.ringward}, schema ${head.schema}; this one knows ${latestVersion()}). ` +
      "Use that version or a later one.",
  );
}

function isZeros(fd: Source, at: number, bytes: number): boolean {
  return bytesAt(fd, at, bytes).every((byte) => byte === 0);
}

function withFile<T>(file: string, work: (fd: number) => T): T {
  const fd = openRegular(file);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** A directory has no content, and a pipe or device might never end. */
function openRegular(file: string): number {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) throw new BackupError(`There is no file at ${file}.`);
    if (!found.isFile()) throw new BackupError(`${file} is not a file.`);
    return openSync(file, "r");
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
