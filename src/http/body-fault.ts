// Validation errors of a body that Elysia cannot report: it formats the value, and {"toString": null} cannot be
// converted to text.
import type { TSchema } from "@sinclair/typebox";
import type { AppError } from "../core/errors.ts";
import { schemaFault } from "../core/schema-fault.ts";

/**
 * The same for a body with one long list, of which only the first item is checked: Elysia would format the whole list.
 */
export function listBodyFault(schema: TSchema, body: unknown, field: string): AppError | null {
  const list = (body as Record<string, unknown> | null)?.[field];
  return bodyFault(schema, Array.isArray(list) ? { ...(body as object), [field]: list.slice(0, 1) } : body);
}

/** Null if the body matches its schema: then the error is elsewhere. */
export const bodyFault = (schema: TSchema, body: unknown): AppError | null => schemaFault(schema, body);
