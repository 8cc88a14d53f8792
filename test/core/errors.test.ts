import { expect, test } from "bun:test";
import { AppError, ERROR_CODES, invalidField, messageOf } from "../../src/core/errors.ts";

test("no code is listed twice", () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
});

test("a field at fault is named in the details", () => {
  const fault = invalidField("name", "name must have 1 to 100 characters.");
  expect(fault).toBeInstanceOf(AppError);
  expect(fault.code).toBe("VALIDATION_ERROR");
  expect(fault.details).toEqual([{ field: "name", message: "name must have 1 to 100 characters." }]);
});

test("an error keeps its cause and when to come back", () => {
  const cause = new Error("disk full");
  const fault = new AppError("UNAVAILABLE", "Try again.", { cause, retryAfterSeconds: 3 });
  expect(fault.cause).toBe(cause);
  expect(fault.retryAfterSeconds).toBe(3);
  expect(fault.details).toEqual([]);
});

test("anything thrown can be printed", () => {
  expect([new Error("a"), "b", undefined, { c: 1 }].map(messageOf)).toEqual(["a", "b", "undefined", "[object Object]"]);
});
