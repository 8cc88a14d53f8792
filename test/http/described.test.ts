// The API document explains itself: parameters have words, bodies and events have examples that their schemas accept,
// and codes are enums.
import { expect, test } from "bun:test";
import document from "../contract/openapi.json" with { type: "json" };
import { withoutRefs, type JsonSchema } from "../../scripts/contract-fuzz/document.ts";
import { Schemas } from "../../scripts/contract-fuzz/schemas.ts";

interface Media {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  parameters?: { name: string; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, Media> };
}

const { paths, webhooks, components } = withoutRefs(document);
const named = Object.entries({ ...paths, ...webhooks }).flatMap(([path, byMethod]) =>
  Object.entries(byMethod as Record<string, Operation>).map(
    ([method, operation]) => [`${method} ${path}`, operation] as const,
  ),
);
const schemas = new Schemas();

test("every parameter is described", () => {
  const silent = named.flatMap(([name, { parameters = [] }]) =>
    parameters.filter(({ description = "" }) => description.length < 5).map((each) => `${name}: ${each.name}`),
  );
  expect(silent).toEqual([]);
});

test("every body and event has an example, and its schema accepts it", () => {
  const media = named.flatMap(([name, { requestBody }]) =>
    Object.entries(requestBody?.content ?? {}).map(([type, each]) => [`${name} ${type}`, each] as const),
  );
  expect(media.length).toBeGreaterThan(60);
  const faults = media.flatMap(([name, { schema, example, examples = {} }]) => {
    const given = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
    if (given.length === 0) return [`${name}: none`];
    return given.flatMap((each) => schemas.faultOfAnswer(schema, each) ?? []).map((fault) => `${name}: ${fault}`);
  });
  expect(faults).toEqual([]);
});

/** Names that look like codes. */
const NO_CODES = new Map([
  ["Rules.calling_code", "of telephone numbers"],
  ["Rules.rules.states", "of a country"],
  ["post /v1/campaigns/{campaign_id}/retry outcomes", "several, separated by commas"],
]);
const CODE =
  /(?:^|_)(?:code|status|state|kind|outcome|disposition|purpose|basis|plan|scope|role|direction|session|day)s?$/;

test("a code is an enum, in parameters, bodies, answers and events", () => {
  const free: string[] = [];
  (function walk(schema: JsonSchema, path: string, name: string): void {
    const { type = [], properties = {}, items, anyOf = [] } = schema;
    const isText = [type].flat().includes("string");
    if (isText && CODE.test(name) && !schema.enum && !("const" in schema)) free.push(path);
    for (const [each, inside] of Object.entries(properties)) walk(inside, `${path}.${each}`, each);
    if (items) walk(items, path, name);
    for (const each of anyOf) walk(each, path, name);
  })({ properties: components.schemas }, "", "");
  for (const [operation, { parameters = [] }] of named)
    for (const { name, schema } of parameters) if (CODE.test(name) && !schema.enum) free.push(` ${operation} ${name}`);
  expect(free.map((path) => path.slice(1)).filter((path) => !NO_CODES.has(path))).toEqual([]);
});
