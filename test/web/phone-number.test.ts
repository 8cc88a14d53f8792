// Numbers as typed into the dashboard's fields.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { completeAsIn, completed, dialled, spaced, transferTarget } from "../../src/web/phone-number.ts";

beforeEach(() => completeAsIn("Asia/Kolkata"));
afterAll(() => completeAsIn(""));

describe("in India", () => {
  test.each(["9876543210", "098765 43210", "98765-43210", "(98765) 43210", "+91 98765 43210", "0091 9876543210"])(
    "%s is sent complete",
    (text) => {
      expect(dialled(text)).toBe("+919876543210");
    },
  );

  test.each(["", "98", "98765432", "sister", "+9", "201"])("%j is not complete yet", (text) => {
    expect(completed(text)).toBeNull();
  });

  test("a transfer target may be an extension or a SIP address", () => {
    expect(["201", " 98765 43210 ", "sip:desk@10.0.0.5 "].map(transferTarget)).toEqual([
      "201",
      "+919876543210",
      "sip:desk@10.0.0.5",
    ]);
  });
});

test("where the country is unknown, only a complete number is completed", () => {
  completeAsIn("Europe/Berlin");
  expect([dialled("98765 43210"), dialled("+49 30 901820")]).toEqual(["9876543210", "+4930901820"]);
});

test("separators never change a number, and what is sent has none", () => {
  const digits = fc.stringMatching(/^[6-9]\d{9}$/);
  const between = fc.constantFrom("", " ", "-", ".", " - ");
  fc.assert(
    fc.property(digits, fc.array(between, { minLength: 10, maxLength: 10 }), (number, marks) => {
      const typed = Array.from(number, (digit, index) => digit + (index < 9 ? marks[index] : "")).join("");
      expect(dialled(typed)).toBe(`+91${number}`);
    }),
  );
});

test("a number in text is grouped, and copied without line breaks", () => {
  expect(spaced("+919876543210")).toBe("+91\u00a098765\u00a043210");
});
