// Builds messages that we send: segments from values, escaped.
import { USUAL_DELIMITERS, declaredDelimiters, type Delimiters } from "./delimiters.ts";
import { escaped } from "./escapes.ts";

/** A field: text, or components. Null is empty. */
export type Value = string | null | readonly (string | null)[];

/** Field 1 first; trailing empty fields are left out. */
export function segmentOf(name: string, values: readonly Value[], delimiters: Delimiters = USUAL_DELIMITERS): string {
  const fields = values.map((value) => fieldOf(value, delimiters));
  return [name, ...withoutEmptyTail(fields)].join(delimiters.field);
}

/** From MSH-3 on. */
export function headerOf(values: readonly Value[], delimiters: Delimiters = USUAL_DELIMITERS): string {
  const fields = withoutEmptyTail(values.map((value) => fieldOf(value, delimiters)));
  return [`MSH${delimiters.field}${declaredDelimiters(delimiters)}`, ...fields].join(delimiters.field);
}

function fieldOf(value: Value, delimiters: Delimiters): string {
  if (value === null) return "";
  if (typeof value === "string") return escaped(value, delimiters);
  return withoutEmptyTail(value.map((part) => escaped(part ?? "", delimiters))).join(delimiters.component);
}

function withoutEmptyTail(parts: readonly string[]): string[] {
  const last = parts.findLastIndex((part) => part !== "");
  return parts.slice(0, last + 1);
}

/** HL7's form of a list of segments. */
export const messageOf = (segments: readonly string[]): string => segments.map((line) => `${line}\r`).join("");
