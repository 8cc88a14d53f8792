// A value that a JSON schema allows: a meaningful one if the field is known, otherwise any.
import fc from "fast-check";
import type { JsonSchema } from "./document.ts";
import { oneOf, rarely, wholeNumber, type Draw } from "./draw.ts";
import { longText, ODD_TEXTS } from "./odd-text.ts";

/** Returns the value of a field by name; undefined if the field is unknown. `LEFT_OUT` omits it from the body. */
export type KnownField = (name: string, schema: JsonSchema) => unknown;
export const LEFT_OUT = Symbol("left out");

const MOST_ITEMS = 4;

export function validValue(draw: Draw, schema: JsonSchema, name: string, known: KnownField): unknown {
  const meant = known(name, schema);
  if (meant !== undefined) return meant;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(draw, schema.enum);
  if (schema.anyOf) return validValue(draw, oneOf(draw, schema.anyOf), name, known);
  switch (typeFor(draw, schema)) {
    case "null":
      return null;
    case "boolean":
      return draw(fc.boolean());
    case "integer":
      return numberWithin(draw, schema);
    case "number":
      return draw(fc.double({ noNaN: true, noDefaultInfinity: true, ...limitsOf(schema) }));
    case "string":
      return textWithin(draw, schema);
    case "array":
      return listWithin(draw, schema, name, known);
    case "object":
      return objectWithin(draw, schema, known);
    default:
      return draw(fc.jsonValue({ maxDepth: 2 }));
  }
}

function typeFor(draw: Draw, { type = "any" }: JsonSchema): string {
  if (!Array.isArray(type)) return type;
  const others = type.filter((each) => each !== "null");
  return others.length < type.length && rarely(draw, 6) ? "null" : oneOf(draw, others);
}

const limitsOf = ({ minimum, maximum }: JsonSchema) => ({
  ...(minimum === undefined ? {} : { min: minimum }),
  ...(maximum === undefined ? {} : { max: maximum }),
});

function numberWithin(draw: Draw, schema: JsonSchema): number {
  const { minimum: min = Number.MIN_SAFE_INTEGER, maximum: max = Number.MAX_SAFE_INTEGER } = schema;
  return rarely(draw, 4) ? oneOf(draw, [min, max]) : draw(fc.integer({ min, max }));
}

function textWithin(draw: Draw, { pattern, format, minLength = 0, maxLength = 60 }: JsonSchema): string {
  // A cut may leave half a character.
  if (pattern !== undefined)
    return draw(fc.stringMatching(new RegExp(pattern)))
      .slice(0, maxLength)
      .toWellFormed();
  if (format === "date") return "2026-11-20";
  if (format === "date-time") return "2026-11-20T09:30:00Z";
  const fits = ODD_TEXTS.filter(({ length }) => length >= minLength && length <= maxLength);
  if (rarely(draw, 3) && fits.length > 0) return oneOf(draw, fits);
  if (rarely(draw, 5)) return longText(maxLength, oneOf(draw, ["a", "é", "न"]));
  return draw(fc.string({ minLength, maxLength: Math.min(maxLength, 40) }));
}

function listWithin(draw: Draw, schema: JsonSchema, name: string, known: KnownField): unknown[] {
  const { items = {}, minItems = 0, maxItems = MOST_ITEMS, uniqueItems = false } = schema;
  const length = wholeNumber(draw, minItems, Math.max(minItems, Math.min(maxItems, MOST_ITEMS)));
  const list = Array.from({ length }, () => validValue(draw, items, `${name}[]`, known));
  return uniqueItems ? [...new Set(list)] : list;
}

function objectWithin(draw: Draw, schema: JsonSchema, known: KnownField): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!required.includes(name) && rarely(draw, 2)) continue;
    const made = validValue(draw, property, name, known);
    if (made !== LEFT_OUT) value[name] = made;
  }
  if (schema.patternProperties) Object.assign(value, draw(anyPairs));
  return value;
}

/** Empty keys are rejected, and long ones are not needed. */
const anyPairs = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 8,
});
