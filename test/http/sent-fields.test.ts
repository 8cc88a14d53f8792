import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { AppError, invalidField, missingField } from "../../src/core/errors.ts";
import { probablyMeant } from "../../src/http/near-miss.ts";
import { ignoredFieldsHeader, namedFields, sentFields, withProbableNames } from "../../src/http/sent-fields.ts";

describe("the field that was probably meant", () => {
  test.each([
    ["user_number", "userNumber"],
    ["user_number", "USER-NUMBER"],
    ["user_number", "phone_number"],
    ["user_number", "phone"],
    ["user_number", "to"],
    ["user_number", "usr_number"],
    ["user_number", "user_numbr"],
    ["contact_number", "phoneNumber"],
    ["agent_id", "agentId"],
    ["agent_id", "agent"],
    ["data.agent_id", "data.agentId"],
    ["call_id", "id"],
    ["max_slots", "maxSlots"],
    ["max_slots", "max_slot"],
  ])("for %s is %s", (missing, sent) => {
    expect(probablyMeant(missing, ["note", sent])).toBe(sent);
  });

  test.each([
    ["user_number", ["note", "user_age", "agent_note"]],
    ["agent_id", ["age", "aid"]],
    ["user_number", ["phone\r\nx: y", "téléphone", `${"_".repeat(100)}phone`]],
    ["user_number", []],
  ])("for %s is none of %p", (missing, sent) => {
    expect(probablyMeant(missing, sent)).toBeNull();
  });

  test("is in the error, with the field and in the message", () => {
    const sent = sentFields({ phone: 1, note: 2 }, Type.Object({ user_number: Type.String() }));
    const message = "user_number is required. You sent phone, which is not a field here.";
    const refusal = withProbableNames(invalidField("user_number", missingField("user_number")), sent);
    expect([refusal.code, refusal.message, refusal.details]).toEqual([
      "VALIDATION_ERROR",
      message,
      [{ field: "user_number", message }],
    ]);
    const other = new AppError("NOT_FOUND", "user_number is required.");
    expect(withProbableNames(other, sent)).toBe(other);
  });
});

describe("fields that were ignored", () => {
  const schema = Type.Object({ name: Type.Optional(Type.String()) });
  const header = (body: unknown) => ignoredFieldsHeader(sentFields(body, schema)?.ignored ?? []);

  test.each([
    [{ name: "x" }, null],
    [{}, null],
    [[], null],
    ["text", null],
    [{ name: "x", colour: 1, Name: 2 }, "colour, Name"],
    [{ "a b": 1, "a,b": 2, "a\r\nset-cookie: x": 3 }, "a%20b, a%2Cb, a%0D%0Aset-cookie%3A%20x"],
    [{ नाम: 1 }, "%E0%A4%A8%E0%A4%BE%E0%A4%AE"],
    [{ "\ud800": 1, "": 2 }, "%EF%BF%BD, "],
    [{ toString: 1, constructor: 2 }, "toString, constructor"],
  ])("%j are named as %p", (body, expected) => {
    expect(header(body)).toBe(expected as string);
  });

  test("fit into a header, at any number and length", () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`क${"ख".repeat(500)}${i}`, 1]));
    const text = header(many)!;
    expect(text.length).toBeLessThan(20 * 66 + 20);
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(text).toEndWith(", (29980 more)");
    expect(() => decodeURIComponent(text.replaceAll(/(%[0-9A-F]{2})+/g, ""))).not.toThrow();
    expect(namedFields(Object.keys(many))).toHaveLength(21);
  });
});
