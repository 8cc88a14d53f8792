// Small schema builders shared by several modules.
import { Type, type SchemaOptions, type TSchema, type TUnion, type TNull, type TUnsafe } from "@sinclair/typebox";

/** One of several words. A union of literals, which the documentation shows as an enum. */
export function oneOf<const T extends readonly string[]>(values: T, options: SchemaOptions = {}): TUnsafe<T[number]> {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as TSchema as TUnsafe<T[number]>;
}

export function nullable<T extends TSchema>(schema: T): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()]);
}

export function isoTime(options: SchemaOptions = {}) {
  return Type.String({ format: "date-time", ...options });
}

/**
 * On an object schema: unknown names inside it are rejected, because they would change the result. See
 * http/sent-fields.ts.
 */
export const STRICT = "x-strict";
