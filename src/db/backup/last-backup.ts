// last-backup.json in the data folder: time of the latest backup, from which /metrics computes its age.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { giveToFolderOwner } from "../../core/given-owner.ts";

const FILE = "last-backup.json";

/**
 * Called after a backup was verified and renamed. A copy inside the data folder is lost with it and does not count.
 * Returns the reason if the time could not be stored; the backup is valid anyway.
 */
export function noteBackup(dataDir: string, target: string, madeAt: string): string | null {
  if (isInside(dataDir, target)) return null;
  const file = join(dataDir, FILE);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify({ made_at: madeAt })}\n`, { mode: 0o600 });
    giveToFolderOwner(`${file}.new`);
    renameSync(`${file}.new`, file);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Milliseconds; null if no backup is known. */
export function lastBackupAt(dataDir: string): number | null {
  try {
    const { made_at } = JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as { made_at: unknown };
    const at = typeof made_at === "string" ? Date.parse(made_at) : Number.NaN;
    return Number.isNaN(at) ? null : at;
  } catch {
    return null;
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..");
}
