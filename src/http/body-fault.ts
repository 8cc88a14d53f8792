// What is wrong with a body that Elysia cannot tell of: it writes the value into its words, and one such as
// {"toString": null} cannot be written as text.
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AppError } from "../core/errors.ts";
import { fieldFaults } from "../core/schema-words.ts";

/**
 * The same of a body with one long list, of whose items the first stands for all: Elysia would write all of it into its
 * words.
 */
export function listBodyFault(schema: TSchema, body: unknown, field: string): AppError | null {
  const list = (body as Record<string, unknown> | null)?.[field];
  return bodyFault(schema, Array.isArray(list) ? { ...(body as object), [field]: list.slice(0, 1) } : body);
}

/** Null where the body is as its schema has it: then the fault is somewhere else. */
export function bodyFault(schema: TSchema, body: unknown): AppError | null {
  // Unknown fields are dropped before a body is checked.
  const cleaned = Value.Clean(schema, structuredClone(body));
  const details = fieldFaults(Value.Errors(schema, cleaned));
  return details[0] ? new AppError("VALIDATION_ERROR", details[0].message, { details }) : null;
}
