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

/** Query fields of a paged list; see core/pages.ts. */
export const PAGE_FIELDS = {
  limit: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,3}$",
      description: "1 to 100; 20 without it.",
      allowed: "a whole number from 1 to 100",
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
};
