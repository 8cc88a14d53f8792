// Errors of PostgreSQL and of the connection, and their meaning for the caller.
import { AppError } from "../../core/errors.ts";

/** Used inside a command, to distinguish it from an AppError; at the command's boundary it is translated. */
export class DatabaseFault extends Error {
  override name = "DatabaseFault";

  constructor(
    message: string,
    /** SQLSTATE; null if the connection itself failed. */
    readonly state: string | null,
    /** The connection is unusable. */
    readonly isLost: boolean,
    /** Error code of the system or of TLS, if the connection failed. */
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

export const RETRY_AFTER_SECONDS = 2;

/** Code for a connection without an answer in time: a new connection would probably wait as long. */
export const SILENT = "SILENT";
export const isSilent = ({ code }: DatabaseFault): boolean => code === SILENT;

/** Serialization failure and deadlock: the command succeeds when retried. */
const SPOILT = new Set(["40001", "40P01"]);
/**
 * A unique or foreign key violation may also be caused by a concurrent writer: PostgreSQL may report it before the
 * serialization failure.
 */
const MAYBE_SPOILT = new Set(["23505", "23503"]);

export const isSpoilt = (fault: DatabaseFault): boolean => fault.state !== null && SPOILT.has(fault.state);
export const isMaybeSpoilt = (fault: DatabaseFault): boolean => fault.state !== null && MAYBE_SPOILT.has(fault.state);

/** A page or index that cannot be read: data_corrupted, index_corrupted. */
const DAMAGE = new Set(["XX001", "XX002"]);
export const isDamage = ({ state }: DatabaseFault): boolean => state !== null && DAMAGE.has(state);

/**
 * SQLSTATE prefixes of transient errors: no connection, no resources, shutdown, standby, timeout. Others would be bugs
 * of ours.
 */
const PASSING = /^(?:08|53|57|58|55P03|25006|25P03)/;
/** After these the server has closed the connection. */
const ENDED = /^(?:08|57P0|25P03)/;

export function faultOf(error: unknown): DatabaseFault {
  if (error instanceof DatabaseFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^[0-9A-Z]{5}$/.test(code) && error instanceof Error && "severity" in error)
    return new DatabaseFault(withoutValues(message), code, ENDED.test(code));
  return new DatabaseFault(message === "" ? code : message, null, true, code === "" ? null : code);
}

/** Some PostgreSQL messages contain the offending value, which may be personal data. */
const withoutValues = (message: string): string => message.replaceAll(/: "[^]*"$/g, "").slice(0, 300);

/** Translates a transient error for the client; other errors are returned unchanged. */
export function toldOutside(fault: DatabaseFault, isWrite: boolean): Error {
  const words = wordsOf(fault);
  if (words === null) return fault;
  const end = isWrite ? "Nothing was changed; try again." : "Try again.";
  return new AppError("UNAVAILABLE", `${words} ${end}`, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: fault });
}

function wordsOf(fault: DatabaseFault): string | null {
  if (isSpoilt(fault)) return "Too many concurrent writes to the same rows.";
  if (fault.isLost || fault.state === null) return "The database cannot be reached now.";
  return PASSING.test(fault.state) ? "The database cannot do this now." : null;
}
