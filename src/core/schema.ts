// Small pieces that schemas share.
import { Type, type SchemaOptions, type TSchema, type TUnion, type TNull, type TUnsafe } from "@sinclair/typebox";

/** One of a few words. A union of literals underneath: the documentation shows it as an enum. */
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

/** On a schema of an object: an unknown name inside changes what happens, and is refused; see http/sent-fields.ts. */
export const STRICT = "x-strict";
