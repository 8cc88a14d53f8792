// Validation errors of a body that Elysia cannot report: it formats the value, and {"toString": null} cannot be
// converted to text.
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AppError } from "../core/errors.ts";
import { fieldFaults } from "../core/schema-words.ts";

/**
 * The same for a body with one long list, of which only the first item is checked: Elysia would format the whole list.
 */
export function listBodyFault(schema: TSchema, body: unknown, field: string): AppError | null {
  const list = (body as Record<string, unknown> | null)?.[field];
  return bodyFault(schema, Array.isArray(list) ? { ...(body as object), [field]: list.slice(0, 1) } : body);
}

/** Null if the body matches its schema: then the error is elsewhere. */
export function bodyFault(schema: TSchema, body: unknown): AppError | null {
  // Unknown fields are dropped before validation.
  const cleaned = Value.Clean(schema, structuredClone(body));
  const details = fieldFaults(Value.Errors(schema, cleaned));
  return details[0] ? new AppError("VALIDATION_ERROR", details[0].message, { details }) : null;
}
