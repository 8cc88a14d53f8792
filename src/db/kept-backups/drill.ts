// Restore drill: restores a backup into a scratch folder as "ringward restore" would, counts what is there, compares it
// with the backup's own counts, and removes the folder.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { countRows } from "../backup/database-copy.ts";
import { CHANGED_BY_RESTORE } from "../backup/hold-due-calls.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { NO_KEY_SOURCE } from "../key-source.ts";
import type { Place, SecuritySettings } from "../port.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";
import { presentFileKey } from "../sqlite/settled-key.ts";
import { FILE_FOLDERS } from "../archive/manifest.ts";

export interface DrillOrder {
  /** The backup. */
  file: string;
  /** It must not exist. */
  scratch: string;
  /** Null: the backup is not encrypted. */
  rootKey: Uint8Array | null;
  now: number;
  /** The appliance of the backup: its database has the newest keys of people. */
  livePlace?: Place;
  progress?: (step: string, doneBytes: number, totalBytes: number) => void;
}

export interface DrillLine {
  /** A table, or "files". */
  what: string;
  inBackup: number;
  restored: number;
}

export interface DrillResult {
  madeAt: string | null;
  lines: DrillLine[];
  /** False if the backup is of an earlier version, without counts. */
  hasCounts: boolean;
  isSame: boolean;
}

export function runDrill({ file, scratch, rootKey, now, livePlace, progress }: DrillOrder): DrillResult {
  const root_key = rootKey === null ? "" : Buffer.from(rootKey).toString("base64");
  const security: SecuritySettings = { ...NO_KEY_SOURCE, root_key, encrypt: "auto" };
  mkdirSync(scratch, { mode: 0o700 });
  try {
    const { rows, files, madeAt, gone } = restoreBackup({
      file,
      dataDir: scratch,
      restoredAt: now,
      stamp: "drill",
      security,
      ...(livePlace && { livePlace }),
      ...(progress && { progress }),
    });
    const database = join(scratch, DATABASE_FILE);
    const restored = countRows(database, presentFileKey({ dataDir: scratch, security }, database));
    const wanted = rows ?? restored;
    const tables = [...new Set([...Object.keys(restored), ...Object.keys(wanted)])].toSorted();
    const lines = tables
      .filter((table) => !CHANGED_BY_RESTORE.includes(table))
      .map((table) => ({
        what: table,
        inBackup: (wanted[table] ?? 0) - (gone[table] ?? 0),
        restored: restored[table] ?? 0,
      }));
    lines.push({ what: "files", inBackup: files ?? 0, restored: countFiles(scratch) });
    const isSame = lines.every((line) => line.inBackup === line.restored);
    return { madeAt, lines, hasCounts: rows !== null, isSame };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Recordings and captured packets. */
const countFiles = (folder: string): number =>
  Object.keys(FILE_FOLDERS)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .reduce((sum, path) => sum + readdirSync(path).length, 0);
