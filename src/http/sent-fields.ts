// The fields of a request's body: those that no schema knows are ignored and named in a header, and a refusal for a
// missing field says which of them was probably meant.
import type { TSchema } from "@sinclair/typebox";
import { AppError, missingField } from "../core/errors.ts";
import { probablyMeant } from "./near-miss.ts";

export const IGNORED_FIELDS_HEADER = "ringward-ignored-fields";

/** Names are the sender's input, and answers stay small whatever it is. */
const MOST_NAMED = 20;
const LONGEST_NAMED = 64;

export interface SentFields {
  /** As they came, unknown ones included. */
  names: readonly string[];
  /** Those that nobody reads. */
  ignored: readonly string[];
}

export function sentFields(body: unknown, schema: TSchema | undefined): SentFields | null {
  const properties = schema?.["properties"] as Record<string, unknown> | undefined;
  if (!properties || typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const names = Object.keys(body);
  return { names, ignored: names.filter((name) => !Object.hasOwn(properties, name)) };
}

/** For a body that is shown to its sender. */
export function namedFields(ignored: readonly string[]): string[] {
  const named = ignored.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAMED).toWellFormed());
  const left = ignored.length - named.length;
  return left > 0 ? [...named, `(${left} more)`] : named;
}

/** For a header: printable ASCII, whatever was sent; null where nothing was ignored. */
export function ignoredFieldsHeader(ignored: readonly string[]): string | null {
  return ignored.length === 0 ? null : namedFields(ignored).map(headerSafe).join(", ");
}

function headerSafe(name: string): string {
  if (/^\(\d+ more\)$/.test(name)) return name;
  // A cut may leave half an escape.
  return encodeURIComponent(name)
    .slice(0, LONGEST_NAMED)
    .replace(/%[0-9A-F]?$/, "");
}

/** The same refusal, and for each missing field the sent one that was probably meant. */
export function withProbableNames(error: AppError, sent: SentFields | null | undefined): AppError {
  if (error.code !== "VALIDATION_ERROR" || !sent || sent.ignored.length === 0) return error;
  const details = error.details.map(({ field, message }) => {
    const meant = message === missingField(field) ? probablyMeant(field, sent.ignored) : null;
    return { field, message: meant === null ? message : `${message} You sent ${meant}, which is not a field here.` };
  });
  return new AppError("VALIDATION_ERROR", details[0]?.message ?? error.message, { details, cause: error });
}
