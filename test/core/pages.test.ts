import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeCursor, encodeCursor } from "../../src/core/pages.ts";
import type { AppError } from "../../src/core/errors.ts";

test("a cursor leads back to where it was made", () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.dictionary(fc.string(), fc.string()), (createdAt, id, filters) => {
      const turned = Object.fromEntries(Object.entries(filters).toReversed());
      const cursor = encodeCursor({ createdAt, id }, filters);
      expect(decodeCursor(cursor, { ...turned, limit: "5", cursor, nothing: undefined })).toEqual({ createdAt, id });
    }),
  );
});

test("a cursor is text that an address can carry as it is", () => {
  expect(encodeCursor({ createdAt: 1_794_722_400_000, id: "call_01k9zv3q5m2n8r4t6w7x9y0abc" }, {})).toMatch(
    /^[A-Za-z0-9_-]+$/,
  );
});

test("a cursor is good for the filters of its list alone, and says so", () => {
  const cursor = encodeCursor({ createdAt: 5, id: "call_a" }, { status: "completed" });
  for (const filters of [{}, { status: "failed" }, { status: "completed", agent_id: "agt_1" }])
    expect(() => decodeCursor(cursor, filters)).toThrow("cursor belongs to a list with other filters.");
  expect(decodeCursor(cursor, { status: "completed", limit: "100" })).toEqual({ createdAt: 5, id: "call_a" });
});

const own = encodeCursor({ createdAt: 5, id: "call_a" }, {});
const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each([
  ["nothing", ""],
  ["a word", "next"],
  ["one cut short", own.slice(0, -3)],
  ["one with something behind it", `${own}!!`],
  ["one with blanks", `${own.slice(0, 4)} ${own.slice(4)}`],
  ["another list", packed([5])],
  ["one of an earlier version", packed([5, "call_a"])],
  ["a longer list", packed([5, "call_a", 1])],
  ["a longer one", packed([5, "call_a", "0".repeat(12), 1])],
  ["a time that is text", packed(["5", "call_a"])],
  ["a time that is no whole number", packed([5.5, "call_a"])],
  ["an id that is no text", packed([5, 7])],
  ["an object", packed({ createdAt: 5, id: "call_a" })],
  ["null", packed(null)],
])("%s is refused", (_, text) => {
  let refusal: AppError | undefined;
  try {
    decodeCursor(text, {});
  } catch (error) {
    refusal = error as AppError;
  }
  expect(refusal?.code).toBe("VALIDATION_ERROR");
  expect(refusal?.details[0]?.field).toBe("cursor");
});
