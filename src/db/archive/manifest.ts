// Manifest of a backup: one JSON line about the whole, then one per file with its SHA-256. It follows the files,
// because their hashes are known only then, and the last entry contains the hash of the manifest. The line format keeps
// a million recordings out of memory.
import { BLOCK_BYTES, entryBytes, TAR_END, tarHeader } from "./tar.ts";

export const DATABASE_ENTRY = "ringward.db";
export const MANIFEST_ENTRY = "manifest.jsonl";
const END_ENTRY = "end.json";
/** Replaces a recording that was erased while the backup was made: its bytes in the archive are zeros. */
export const ERASED_ENTRY = "erased";

/** Raised when older versions can no longer read the format. 2: the database is encrypted. 3: people are sealed. */
export const FORMAT = 3;
export const UNSEALED_FORMAT = 2;
export const PLAIN_FORMAT = 1;

export interface BackupHead {
  format: number;
  /** Version of the Ringward that made the backup. */
  ringward: string;
  schema: number;
  made_at: string;
  with_recordings: boolean;
  /** Rows of each table, for a restore drill; backups of earlier versions do not have it. */
  rows?: Readonly<Record<string, number>>;
  /** The file of data keys, if something here is encrypted. */
  data_keys?: string;
  /** The id of the keys that seal what is about people, which are in a file of their own. */
  person_keys?: string;
}

export interface FileLine {
  name: string;
  bytes: number;
  sha256: string;
}

/**
 * Folders of the data folder that a backup may contain, with the only allowed name pattern, which excludes path
 * traversal.
 */
export const FILE_FOLDERS = { captures: ".pcap", recordings: ".wav" } as const;

export function isFileEntry(name: string): boolean {
  return /^(?:captures\/[\w-]{1,80}\.pcap|recordings\/[\w-]{1,80}\.wav)$/.test(name);
}

/** The first line may contain the data keys. */
export const LONGEST_LINE_BYTES = 64 * 1024;

export function lineOf(value: BackupHead | FileLine): string {
  return `${JSON.stringify(value)}\n`;
}

/** Null if we could not have written it. */
export function parseHead(line: string): BackupHead | null {
  const { format, ringward, schema, made_at, with_recordings, rows, data_keys, person_keys } = objectIn(line);
  if (!isCount(format) || typeof ringward !== "string" || !isCount(schema)) return null;
  if (typeof made_at !== "string" || typeof with_recordings !== "boolean") return null;
  return {
    format,
    ringward,
    schema,
    made_at,
    with_recordings,
    ...(isCounts(rows) && { rows }),
    ...(typeof data_keys === "string" && { data_keys }),
    ...(typeof person_keys === "string" && { person_keys }),
  };
}

const isCounts = (value: unknown): value is Record<string, number> =>
  typeof value === "object" && value !== null && Object.values(value).every(isCount);

export function parseFileLine(line: string): FileLine | null {
  const { name, bytes, sha256 } = objectIn(line);
  if (typeof name !== "string" || !isCount(bytes) || typeof sha256 !== "string") return null;
  return name === DATABASE_ENTRY || name === ERASED_ENTRY || isFileEntry(name) ? { name, bytes, sha256 } : null;
}

function objectIn(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Invalid JSON has none of the fields, and is rejected for that.
    return {};
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export interface BackupEnd {
  manifestBytes: number;
  manifestSha256: string;
}

/** Fixed length, so a reader finds it from the end of the file. */
export const END_BYTES = entryBytes(BLOCK_BYTES) + TAR_END.length;

export function endOf({ manifestBytes, manifestSha256 }: BackupEnd): Buffer {
  const text = JSON.stringify({ manifest_bytes: manifestBytes, manifest_sha256: manifestSha256 });
  const content = Buffer.from(`${text.padEnd(BLOCK_BYTES - 1)}\n`);
  return Buffer.concat([tarHeader(END_ENTRY, BLOCK_BYTES), content, TAR_END]);
}

/** Null unless every byte matches our encoding. */
export function parseEnd(block: Buffer): BackupEnd | null {
  const text = block.subarray(BLOCK_BYTES, 2 * BLOCK_BYTES).toString("latin1");
  const { manifest_bytes: manifestBytes, manifest_sha256: manifestSha256 } = objectIn(text);
  if (!isCount(manifestBytes) || typeof manifestSha256 !== "string" || manifestSha256.length !== 64) return null;
  const end = { manifestBytes, manifestSha256 };
  return endOf(end).equals(block) ? end : null;
}

/** Offset of the manifest's header in a file of this size. */
export function manifestAt(fileBytes: number, { manifestBytes }: BackupEnd): number {
  return fileBytes - END_BYTES - entryBytes(manifestBytes);
}
