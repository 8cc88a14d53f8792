// Errors on the first connection to PostgreSQL, in words that say what to do.
import { DatabaseError } from "../open-fault.ts";
import { DatabaseFault, isDamage } from "./faults.ts";
import { RESTORE_DUMP_WORDS } from "./soundness.ts";

/** It is starting, not up yet, or out of connections: worth a retry. */
export function isWorthWaiting(error: unknown): boolean {
  if (!(error instanceof DatabaseFault)) return false;
  if (error.state !== null) return /^(?:57P0|53300)/.test(error.state);
  return !isAboutTls(error) && error.code !== "ENOTFOUND";
}

const isAboutTls = ({ code, message }: DatabaseFault): boolean =>
  /CERT|SELF_SIGNED|TLS|SSL|UNABLE_TO/i.test(code ?? "") || /certificate|\bSSL\b|altname/i.test(message);

export function explainedFault(error: unknown, where: string): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  return new DatabaseError(wordsOf(error, where), { cause: error, ...(isDamage(error) && { fault: "damaged" }) });
}

function wordsOf(fault: DatabaseFault, where: string): string {
  const { state, code, message } = fault;
  if (state === "28P01" || state === "28000")
    return `${where} does not let this user in (${message}). Look at database.url and database.password_file.`;
  if (/password must be a string|SASL/.test(message))
    return `${where} asks for a password. Put it into a file and name that with database.password_file.`;
  if (state === "3D000") return `${where}: there is no such database. Make it: createdb -E UTF8 -T template0 NAME.`;
  if (state === "42501") return `${where}: this user may not do that (${message}). Give the database to it.`;
  if (isDamage(fault)) return `${where} is damaged (${state}: ${message}). ${RESTORE_DUMP_WORDS}`;
  if (state === null && isAboutTls(fault))
    return `${where} cannot be trusted (${code ?? message}). Look at database.ca_file and at the name in its certificate; database.tls says when TLS is used.`;
  if (state === null)
    return `${where} cannot be reached (${code ?? message}). Is it running, and is database.url right?`;
  return `${where} cannot be used (${state}: ${message}).`;
}
