// Describes in words what a schema allows, for messages a person can act on. A schema whose keywords do not suffice
// provides the words as `allowed`.
import type { TSchema } from "@sinclair/typebox";
import { missingField, type FieldFault } from "./errors.ts";

/** One fault per field, in the words of the schema. `prefix` is the path of the checked value in the body. */
export function fieldFaults(
  violations: Iterable<{ path: string; value: unknown; schema: TSchema }>,
  prefix: readonly string[] = [],
): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const { path, value, schema } of violations) {
    const field = [...prefix, ...path.split("/").slice(1)].join(".") || "body";
    if (faults.has(field)) continue;
    const message = value === undefined ? missingField(field) : `${field} must be ${allowedBy(schema)}.`;
    faults.set(field, { field, message });
  }
  return [...faults.values()];
}

export function allowedBy(schema: TSchema): string {
  if (typeof schema["allowed"] === "string") return schema["allowed"];
  const choices = schema["anyOf"] as TSchema[] | undefined;
  if (choices?.every((choice) => "const" in choice))
    return `one of ${choices.map((choice) => String(choice["const"])).join(", ")}`;
  if (choices) return choices.map(allowedBy).join(" or ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  switch (schema["type"]) {
    case "integer":
      return `a whole number${range(schema)}`;
    case "number":
      return `a number${range(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a table";
    case "null":
      return "null";
    default:
      return textWords(schema);
  }
}

function range(schema: TSchema): string {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

/** A pattern that only lists words, such as true and false in a query. */
const LISTED_WORDS = /^\^\((\w+(?:\|\w+)*)\)\$$/;

function textWords(schema: TSchema): string {
  const { minLength, maxLength, pattern } = schema as { minLength?: number; maxLength?: number; pattern?: string };
  const [, words] = LISTED_WORDS.exec(pattern ?? "") ?? [];
  if (words !== undefined) return words.split("|").join(" or ");
  const shortest = minLength ? "text that is not empty" : "text";
  return maxLength === undefined ? shortest : `${shortest}, at most ${maxLength} characters`;
}
