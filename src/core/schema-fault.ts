// Checks a value against a schema, in the words of fieldFaults.
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AppError } from "./errors.ts";
import { fieldFaults } from "./schema-words.ts";

/** Null if the value matches. Unknown fields are dropped before. */
export function schemaFault(schema: TSchema, value: unknown): AppError | null {
  const cleaned = Value.Clean(schema, structuredClone(value));
  const details = fieldFaults(Value.Errors(schema, cleaned));
  return details[0] ? new AppError("VALIDATION_ERROR", details[0].message, { details }) : null;
}
