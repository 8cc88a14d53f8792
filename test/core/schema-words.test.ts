import { Type, type TSchema } from "@sinclair/typebox";
import { describe, expect, test } from "bun:test";
import { nullable, oneOf } from "../../src/core/schema.ts";
import { allowedBy } from "../../src/core/schema-words.ts";

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
    [Type.String({ minLength: 1 }), "text that is not empty"],
    [Type.Literal("OPEN"), '"OPEN"'],
    [oneOf(["Morning", "Evening"]), "one of Morning, Evening"],
    [Type.Union([Type.Integer({ minimum: 0 }), Type.Literal("unlimited")]), 'a whole number of at least 0 or "unlimited"'],
    [nullable(Type.Integer()), "a whole number or null"],
    [Type.String({ description: "an http or https address", minLength: 1 }), "an http or https address"],
  ];
  test.each(cases.map(([schema, words]) => [words, schema] as const))("%s", (words, schema) => {
    expect(allowedBy(schema)).toBe(words);
  });
});
