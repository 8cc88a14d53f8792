// Converts schema violations into sentences an administrator can act on: the key, and the allowed values.
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { allowedBy } from "../core/schema-words.ts";

export function findFaults(schema: TSchema, settings: unknown): string[] {
  const faults = new Map<string, string>();
  for (const error of Value.Errors(schema, settings)) {
    const key = error.path.slice(1).replaceAll("/", ".");
    if (faults.has(key)) continue;
    faults.set(key, `${key}: must be ${allowedBy(error.schema)}${shown(key, error.value)}.`);
  }
  return [...faults.values()];
}

/** Secrets are never echoed, not even wrong ones, nor is a table or list that may contain one. */
function shown(key: string, value: unknown): string {
  if (
    /key$|password|secret|token|security|^database\.url$|^trunks(\.[^.]+)?$|^models\.servers(\.[^.]+)?$/.test(key) ||
    value === undefined ||
    typeof value === "object"
  )
    return "";
  return `, not ${JSON.stringify(value)}`;
}
