// Field names of a request body: names unknown to the schema are ignored and reported in a header, and an error for a
// missing field suggests which of them was probably meant.
import type { TSchema } from "@sinclair/typebox";
import { createTurns } from "../core/clock.ts";
import { AppError, invalidField, missingField } from "../core/errors.ts";
import { STRICT } from "../core/schema.ts";
import { probablyMeant } from "./near-miss.ts";

export const IGNORED_FIELDS_HEADER = "ringward-ignored-fields";

/** Names are untrusted input, and responses must stay small. */
const MOST_NAMED = 20;
const LONGEST_NAMED = 64;

export interface SentFields {
  /** All sent names, including unknown ones. */
  names: readonly string[];
  /** The ignored names. */
  ignored: readonly string[];
  /** Further ignored names: inside fields (`retry.no_anser`, `rows[].user_nam`) and in the query. */
  further?: readonly string[];
}

/** Names checked inside a body: ten thousand rows with five fields each. */
const MOST_LOOKED_AT = 60_000;

export function sentFields(body: unknown, schema: TSchema | undefined): SentFields | null {
  const known = propertiesOf(schema);
  if (!known || !isObject(body)) return null;
  const names = Object.keys(body);
  const ignored = names.filter((name) => !Object.hasOwn(known, name));
  const looked = { left: MOST_LOOKED_AT, found: new Set<string>() };
  for (const name of names) if (Object.hasOwn(known, name)) lookInside(body[name], known[name], name, looked);
  return { names, ignored, ...(looked.found.size > 0 && { further: [...looked.found] }) };
}

/** The same for a body with one long list, one item at a time, yielding in between. */
export async function sentFieldsOfList(body: unknown, schema: TSchema | undefined, field: string) {
  const list = isObject(body) ? body[field] : undefined;
  const sent = Array.isArray(list) ? sentFields({ ...(body as object), [field]: [] }, schema) : null;
  if (!sent || !Array.isArray(list)) return sentFields(body, schema);
  const looked = { left: MOST_LOOKED_AT, found: new Set<string>() };
  const items = propertiesOf(schema)?.[field]?.["items"] as TSchema | undefined;
  const turn = createTurns();
  for (const item of list) {
    lookInside(item, items, `${field}[]`, looked);
    await turn();
  }
  const further = [...looked.found, ...(sent.further ?? [])];
  return { ...sent, ...(further.length > 0 && { further }) };
}

/** All ignored names. */
export const unreadIn = (sent: SentFields | null | undefined): readonly string[] =>
  sent?.further ? [...sent.ignored, ...sent.further] : (sent?.ignored ?? []);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Undefined if any name is accepted, or the schema declares no names. */
function propertiesOf(schema: TSchema | undefined): Record<string, TSchema> | undefined {
  return schema?.["properties"] as Record<string, TSchema> | undefined;
}

function lookInside(
  value: unknown,
  schema: TSchema | undefined,
  path: string,
  looked: { left: number; found: Set<string> },
): void {
  if (typeof value !== "object" || value === null || looked.left <= 0) return;
  const variants = (schema?.["anyOf"] as TSchema[] | undefined) ?? (schema ? [schema] : []);
  if (Array.isArray(value)) {
    const items = variants.map((each) => each["items"] as TSchema | undefined).find((each) => each !== undefined);
    if (items) for (const item of value) lookInside(item, items, `${path}[]`, looked);
    return;
  }
  const known = variants.map(propertiesOf).find((each) => each !== undefined);
  if (!known) return;
  if (variants.some((each) => each[STRICT] === true)) assertKnown(value, known, path);
  for (const name of Object.keys(value)) {
    if (looked.left-- <= 0) return;
    const inner = (value as Record<string, unknown>)[name];
    if (Object.hasOwn(known, name)) {
      // Skips plain values, and builds no path for them.
      if (typeof inner === "object" && inner !== null) lookInside(inner, known[name], `${path}.${name}`, looked);
    } else if (looked.found.size <= MOST_NAMED) looked.found.add(`${path}.${name}`);
  }
}

function assertKnown(value: object, known: Record<string, TSchema>, path: string): void {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const meant = Object.keys(known).find((name) => probablyMeant(name, [unknown]) !== null);
  const field = `${path}.${shownName(unknown)}`;
  const advice = meant === undefined ? `It takes ${Object.keys(known).join(", ")}.` : `Did you mean ${meant}?`;
  throw invalidField(field, `${field} is not a field here, and nothing was done. ${advice}`);
}

/** Sanitised, because it is untrusted input. */
export const shownName = (name: string): string => name.slice(0, LONGEST_NAMED).replaceAll(/[^\x21-\x7e]/g, "?");

/** For a response body shown to the sender. */
export function namedFields(ignored: readonly string[]): string[] {
  const named = ignored.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAMED).toWellFormed());
  const left = ignored.length - named.length;
  return left > 0 ? [...named, `(${left} more)`] : named;
}

/** For a header: printable ASCII only; null if nothing was ignored. */
export function ignoredFieldsHeader(ignored: readonly string[]): string | null {
  return ignored.length === 0 ? null : namedFields(ignored).map(headerSafe).join(", ");
}

function headerSafe(name: string): string {
  if (/^\(\d+ more\)$/.test(name)) return name;
  // Truncation may leave half an escape.
  return encodeURIComponent(name)
    .slice(0, LONGEST_NAMED)
    .replace(/%[0-9A-F]?$/, "");
}

/** Adds to each missing field the sent name that was probably meant. */
export function withProbableNames(error: AppError, sent: SentFields | null | undefined): AppError {
  if (error.code !== "VALIDATION_ERROR" || !sent || sent.ignored.length === 0) return error;
  const details = error.details.map(({ field, message }) => {
    const meant = message === missingField(field) ? probablyMeant(field, sent.ignored) : null;
    return { field, message: meant === null ? message : `${message} You sent ${meant}, which is not a field here.` };
  });
  return new AppError("VALIDATION_ERROR", details[0]?.message ?? error.message, { details, cause: error });
}
