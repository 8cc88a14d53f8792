// What PostgreSQL and the way there may fail with, and what each means for whoever asked.
import { AppError } from "../../core/errors.ts";

/** Inside of a command, so that nobody takes it for a refusal of ours; at its edge it is told in words that help. */
export class DatabaseFault extends Error {
  override name = "DatabaseFault";

  constructor(
    message: string,
    /** PostgreSQL's code; null where the connection itself failed. */
    readonly state: string | null,
    /** The connection is of no use any more. */
    readonly isLost: boolean,
    /** The system's, or that of TLS, where it is the connection that failed. */
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

export const RETRY_AFTER_SECONDS = 2;

/** The code of a connection on which no answer came in time: another one would probably have to wait as long. */
export const SILENT = "SILENT";
export const isSilent = ({ code }: DatabaseFault): boolean => code === SILENT;

/** Another writer came between: the same command, made again, finds what that one left. */
const SPOILT = new Set(["40001", "40P01"]);
/**
 * A unique or foreign key that was broken may be the same: PostgreSQL tells of it before it tells of the other writer.
 */
const MAYBE_SPOILT = new Set(["23505", "23503"]);

export const isSpoilt = (fault: DatabaseFault): boolean => fault.state !== null && SPOILT.has(fault.state);
export const isMaybeSpoilt = (fault: DatabaseFault): boolean => fault.state !== null && MAYBE_SPOILT.has(fault.state);

/** A page or an index that cannot be read: data_corrupted, index_corrupted. */
const DAMAGE = new Set(["XX001", "XX002"]);
export const isDamage = ({ state }: DatabaseFault): boolean => state !== null && DAMAGE.has(state);

/**
 * By their beginnings: no connection, no room, shut down, a standby, too slow. What else there is would be a bug of
 * ours.
 */
const PASSING = /^(?:08|53|57|58|55P03|25006|25P03)/;
/** After these the server has ended the connection. */
const ENDED = /^(?:08|57P0|25P03)/;

export function faultOf(error: unknown): DatabaseFault {
  if (error instanceof DatabaseFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^[0-9A-Z]{5}$/.test(code) && error instanceof Error && "severity" in error)
    return new DatabaseFault(withoutValues(message), code, ENDED.test(code));
  return new DatabaseFault(message === "" ? code : message, null, true, code === "" ? null : code);
}

/** Some of PostgreSQL's messages show the value that they complain about, which may be a person's. */
const withoutValues = (message: string): string => message.replaceAll(/: "[^]*"$/g, "").slice(0, 300);

/** For whoever asked from outside; an error that is no passing matter stays what it is. */
export function toldOutside(fault: DatabaseFault, isWrite: boolean): Error {
  const words = wordsOf(fault);
  if (words === null) return fault;
  const end = isWrite ? "Nothing was changed; try again." : "Try again.";
  return new AppError("UNAVAILABLE", `${words} ${end}`, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: fault });
}

function wordsOf(fault: DatabaseFault): string | null {
  if (isSpoilt(fault)) return "Too many others write the same.";
  if (fault.isLost || fault.state === null) return "The database cannot be reached just now.";
  return PASSING.test(fault.state) ? "The database cannot do this just now." : null;
}
