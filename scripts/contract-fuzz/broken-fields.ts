// Breaks one field of a body, or sets it to a boundary value of its schema.
import type { JsonSchema } from "./document.ts";
import { oneOf, type Draw } from "./draw.ts";
import { longText, ODD_TEXTS } from "./odd-text.ts";

type Step = string | number;

interface Site {
  path: readonly Step[];
  schema: JsonSchema;
}

/** Marks a removed field. */
const GONE = Symbol("gone");

const WRONG_TYPES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  3,
  "text",
  "3",
  [],
  {},
  [null],
  [[]],
  { toString: null },
];

/** A copy of the body with one change, at a place described by the schema. */
export function brokenField(draw: Draw, schema: JsonSchema, body: unknown): unknown {
  const site = oneOf(draw, sitesOf(schema, body));
  const edge = oneOf(draw, edgesOf(site.schema));
  return changed(JSON.parse(JSON.stringify(body)) as unknown, site.path, edge);
}

function sitesOf(schema: JsonSchema, value: unknown, path: readonly Step[] = []): Site[] {
  const here: Site[] = [{ path, schema }];
  const { properties = {}, items, anyOf = [] } = schema;
  for (const each of anyOf) here.push(...sitesOf(each, value, path).slice(1));
  for (const [name, property] of Object.entries(properties)) {
    const inside = isObject(value) ? value[name] : undefined;
    here.push(...sitesOf(property, inside, [...path, name]));
  }
  if (items && Array.isArray(value) && value.length > 0)
    here.push(...sitesOf(items, (value as unknown[])[0], [...path, 0]));
  return here;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function edgesOf(schema: JsonSchema): unknown[] {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "any"];
  return [
    GONE,
    ...WRONG_TYPES,
    ...(schema.enum ? edgesOfWords(schema.enum) : []),
    ...types.flatMap((type) => EDGES[type]?.(schema) ?? []),
  ];
}

const EDGES: Readonly<Record<string, (schema: JsonSchema) => unknown[]>> = {
  string: edgesOfText,
  integer: edgesOfNumber,
  number: edgesOfNumber,
  array: edgesOfList,
  object: edgesOfObject,
};

function edgesOfWords(words: readonly unknown[]): unknown[] {
  return words.flatMap((word) => (typeof word === "string" ? [word.toUpperCase(), ` ${word}`, `${word}\u0000`] : []));
}

function edgesOfText({ maxLength, minLength = 0 }: JsonSchema): unknown[] {
  const most = maxLength ?? 10_000;
  return [
    ...ODD_TEXTS,
    longText(most),
    longText(most + 1),
    longText(most, "💙"),
    longText(most, "न"),
    longText(most, "\u0000"),
    longText(most, "\ud800"),
    longText(Math.max(0, minLength - 1)),
    longText(50_000),
  ];
}

function edgesOfNumber({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): unknown[] {
  const edges = [minimum, minimum - 1, maximum, maximum + 1, -1, 0, 1, -0, 0.5, minimum + 0.1];
  const large = [2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, 2 ** 63, 2 ** 64, 1e21, -1e308, 5e-324];
  return [...edges, ...large, "NaN", "1", " 1", "1e3"];
}

function edgesOfList({ minItems = 0, maxItems = 100, items }: JsonSchema): unknown[] {
  const item = items?.enum?.[0] ?? (items?.type === "integer" ? 1 : {});
  // A longer list would only make the body large.
  const tooMany = Math.min(maxItems + 1, 2_000);
  return [
    [],
    Array.from({ length: tooMany }, () => item),
    [item, item],
    Array.from({ length: Math.max(0, minItems - 1) }, () => item),
  ];
}

function edgesOfObject(): unknown[] {
  return [
    JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}') as unknown,
    { "": "" },
    { [longText(300)]: 1 },
    { "\u0000": "\ud800", "a\nb": 1, "a.b": { $ne: null } },
    Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`key${at}`, at])),
    deep(60),
    deep(99),
    deep(150),
    { big: longText(20_000) },
  ];
}

/** Nested objects. */
function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value];
  return { deep: value };
}

function changed(body: unknown, [step, ...rest]: readonly Step[], edge: unknown): unknown {
  if (step === undefined) return edge === GONE ? {} : edge;
  const owner = (typeof body === "object" && body !== null ? body : {}) as Record<Step, unknown>;
  if (rest.length === 0 && edge === GONE) delete owner[step];
  else owner[step] = changed(owner[step], rest, edge);
  return owner;
}
