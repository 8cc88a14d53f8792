// Errors on opening the data folder, in words that say what to do.
import { messageOf } from "../core/errors.ts";

/**
 * `held`: locked by another process. `damaged`: only a backup helps. `newer`: written by a newer version. `unusable`:
 * anything else.
 */
export type DatabaseFault = "unusable" | "held" | "damaged" | "newer";

/** The data folder or its database cannot be used. */
export class DatabaseError extends Error {
  readonly fault: DatabaseFault;

  constructor(message: string, options: { fault?: DatabaseFault; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.fault = options.fault ?? "unusable";
  }
}

export function explained<T>(dataDir: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw explanationOf(dataDir, error);
  }
}

/** The error with an explanation, if there is one for it. */
export function explanationOf(dataDir: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = wordsOf(code, dataDir, messageOf(error));
  return words === null ? error : new DatabaseError(words, { fault: faultOf(code), cause: error });
}

/** The last sentence of every message about a damaged database. */
export const RESTORE_WORDS = 'Restore the newest backup: "ringward restore FILE".';

export function damagedWords(findings: string): string {
  return `The database is damaged (${findings}). ${RESTORE_WORDS}`;
}

/** False for a busy database and for a temporary disk error. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && "code" in error && isDamageCode(String(error.code));
}

const isDamageCode = (code: string) => /^SQLITE_(NOTADB|CORRUPT)/.test(code);

function faultOf(code: string): DatabaseFault {
  if (isDamageCode(code)) return "damaged";
  return code.startsWith("SQLITE_BUSY") ? "held" : "unusable";
}

function wordsOf(code: string, dataDir: string, message: string): string | null {
  if (code === "ERR_DLOPEN_FAILED")
    return "The database addon cannot be unpacked and loaded. Set TMPDIR to a folder that this user may write to and execute from.";
  if (isDamageCode(code)) return damagedWords(message);
  if (code === "EROFS")
    return `${dataDir} is on a disk that is mounted read-only. Name a folder that can be written with --data.`;
  if (/^(EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code))
    return `${dataDir} cannot be written by this user (${code}). Give the folder and what is in it to the user who runs Ringward, or name another with --data.`;
  if (code === "ENOTDIR" || code === "EEXIST") return `${dataDir} is not a folder. Name one with --data.`;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL")
    return `The disk of ${dataDir} is full. Free some space and try again.`;
  if (code === "EMFILE" || code === "ENFILE")
    return "This process may not open more files. Raise the limit (LimitNOFILE in systemd, ulimit -n in a shell).";
  if (code.startsWith("SQLITE_BUSY"))
    return `Another program holds the database in ${dataDir}. Close it and try again.`;
  if (code.startsWith("SQLITE_IOERR")) return `The disk of ${dataDir} does not work as it should (${code}): ${message}`;
  return null;
}
