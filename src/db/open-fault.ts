// What the first touch of the data folder may meet, in words that say what to do about it.
import { messageOf } from "../core/errors.ts";

/** The data folder or its database cannot be used as it is. */
export class DatabaseError extends Error {}

export function explained<T>(dataDir: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw explanationOf(dataDir, error);
  }
}

/** The same in words where we have some. */
export function explanationOf(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = wordsOf(code, dataDir, messageOf(error));
  return words === null ? error : new DatabaseError(words, { cause: error });
}

/** How every message about a damaged database ends. */
export const RESTORE_WORDS = 'Restore the newest backup: "ringward restore FILE".';

export function damagedWords(findings: string): string {
  return `The database is damaged (${findings}). ${RESTORE_WORDS}`;
}

/** Not one that is busy, or that the disk does not hand over just now. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code));
}

function wordsOf(code: string, dataDir: string, message: string): string | null {
  if (code === "ERR_DLOPEN_FAILED")
    return "The database addon cannot be unpacked and loaded. Set TMPDIR to a folder that this user may write to and execute from.";
  if (code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT") return damagedWords(message);
  if (code === "EROFS")
    return `${dataDir} is on a disk that is mounted read-only. Name a folder that can be written with --data.`;
  if (/^(EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code))
    return `${dataDir} cannot be written by this user (${code}). Give the folder and what is in it to the user who runs Ringward, or name another with --data.`;
  if (code === "ENOTDIR" || code === "EEXIST") return `${dataDir} is not a folder. Name one with --data.`;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL")
    return `There is no room left on the disk of ${dataDir}. Make room and try again.`;
  if (code === "EMFILE" || code === "ENFILE")
    return "This process may not open more files. Raise the limit (LimitNOFILE in systemd, ulimit -n in a shell).";
  if (code.startsWith("SQLITE_BUSY"))
    return `Another program holds the database in ${dataDir}. Close it and try again.`;
  if (code.startsWith("SQLITE_IOERR")) return `The disk of ${dataDir} does not work as it should (${code}): ${message}`;
  return null;
}
