// last-backup.json in the data folder: when the newest backup of it was made, so that /metrics tells its age.
import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { messageOf } from "../../core/errors.ts";

const FILE = "last-backup.json";

/**
 * After a backup was verified and bears its name. A copy inside the data folder is lost with it, and does not count.
 * Answers why it could not be noted; the backup is whole all the same.
 */
export function noteBackup(dataDir: string, target: string, madeAt: string): string | null {
  if (isInside(dataDir, target)) return null;
  const file = join(dataDir, FILE);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify({ made_at: madeAt })}\n`, { mode: 0o600 });
    // Made by root, it must still be readable to the server, which is not root.
    if (process.getuid?.() === 0) chownSync(`${file}.new`, statSync(dataDir).uid, statSync(dataDir).gid);
    renameSync(`${file}.new`, file);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Milliseconds; null where none was made yet, or none that is known of. */
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
