import { Type, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { describe, expect, test } from "bun:test";
import { nullable, oneOf } from "../../src/core/schema.ts";
import { allowedBy, fieldFaults } from "../../src/core/schema-words.ts";

describe("a schema in words:", () => {
  const cases: [TSchema, string][] = [
    [Type.Integer(), "a whole number"],
    [Type.Integer({ minimum: 1, maximum: 9 }), "a whole number from 1 to 9"],
    [Type.Integer({ minimum: 0 }), "a whole number of at least 0"],
    [Type.Number({ maximum: 5 }), "a number of at most 5"],
    [Type.Boolean(), "true or false"],
    [Type.Array(Type.String()), "a list"],
    [Type.Object({}), "a table"],
    [Type.String(), "text"],
    [Type.String({ pattern: "^(true|false)$" }), "true or false"],
    [Type.String({ minLength: 1 }), "text that is not empty"],
    [Type.Literal("OPEN"), '"OPEN"'],
    [oneOf(["Morning", "Evening"]), "one of Morning, Evening"],
    [
      Type.Union([Type.Integer({ minimum: 0 }), Type.Literal("unlimited")]),
      'a whole number of at least 0 or "unlimited"',
    ],
    [nullable(Type.Integer()), "a whole number or null"],
    [Type.String({ minLength: 1, maxLength: 9 }), "text that is not empty, at most 9 characters"],
    [Type.String({ allowed: "an http or https address", minLength: 1 }), "an http or https address"],
  ];
  test.each(cases.map(([schema, words]) => [words, schema] as const))("%s", (words, schema) => {
    expect(allowedBy(schema)).toBe(words);
  });
});

describe("the faults of a value", () => {
  const Body = Type.Object({ name: Type.String({ minLength: 1 }), deep: Type.Object({ count: Type.Integer() }) });
  const faultsOf = (value: unknown, prefix?: string[]) => fieldFaults(Value.Errors(Body, value), prefix);

  test("are one per field, by its path", () => {
    expect(faultsOf({ name: "", deep: { count: "3" } })).toEqual([
      { field: "name", message: "name must be text that is not empty." },
      { field: "deep.count", message: "deep.count must be a whole number." },
    ]);
  });

  test("tell what is missing", () => {
    expect(faultsOf({ name: "x", deep: {} })).toEqual([{ field: "deep.count", message: "deep.count is required." }]);
  });

  test("stand under the prefix of where the value was", () => {
    expect(faultsOf({ name: 1, deep: { count: 1 } }, ["data"])).toEqual([
      { field: "data.name", message: "data.name must be text that is not empty." },
    ]);
  });

  test("of the whole are those of the body", () => {
    expect(faultsOf([])[0]?.field).toBe("body");
  });
});
