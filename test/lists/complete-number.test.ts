// Numbers as people and spreadsheets write them, completed to E.164.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { completeNumber, homeCountryOf, looksLikeNumber } from "../../src/lists/complete-number.ts";

describe("in India", () => {
  test.each([
    "9876543210",
    "98765 43210",
    "98765-43210",
    "09876543210",
    "0 98765 43210",
    "919876543210",
    "0919876543210",
    "00919876543210",
    "+91 98765 43210",
    "+91-(0)98765-43210",
    "(+91) 98765.43210",
    "\u202a+91 98765 43210\u202c",
    "'9876543210",
    "919876543210.0",
    "9876543210.00",
    "9.19876543210E+11",
    "9,876543210e9",
    "९८७६५ ४३२१०",
    "９８７６５４３２１０",
    "tel:+919876543210",
  ])("%s is one number", (text) => {
    expect(completeNumber(text, "IN")).toEqual({ number: "+919876543210" });
  });

  test.each([
    ["", "missing"],
    ["  ", "missing"],
    ["9.19877E+11", "shortened"],
    ["9,19877E+11", "shortened"],
    ["9.2E+11", "shortened"],
    ["00", "incomplete"],
    ["98765", "incomplete"],
    ["98765432101", "incomplete"],
    ["ask the sister", "not_a_number"],
    ["9876543210 / 9876543211", "not_a_number"],
    ["9876543210 ext 12", "not_a_number"],
    ["1.5", "incomplete"],
  ])("“%s” is none: %s", (text, fault) => {
    expect(completeNumber(text, "IN")).toEqual({ fault: fault as "missing" });
  });

  test("another country's number needs its code", () => {
    expect(completeNumber("+1 (555) 555-0100", "IN")).toEqual({ number: "+15555550100" });
    expect(completeNumber("0044 20 7946 0000", "IN")).toEqual({ number: "+442079460000" });
  });
});

test.each(["(555) 555-0100", "555.555.0100", "1-555-555-0100", "011 1 555 555 0100", "+1 555 555 0100"])(
  "in the United States, %s is one number",
  (text) => {
    expect(completeNumber(text, "US")).toEqual({ number: "+15555550100" });
  },
);

test("without a known country, only complete numbers are accepted", () => {
  expect(completeNumber("9876543210", null)).toEqual({ fault: "incomplete" });
  expect(completeNumber("+919876543210", null)).toEqual({ number: "+919876543210" });
});

test("the country is derived from the organisation's time zone", () => {
  expect(["Asia/Kolkata", "Asia/Calcutta"].map(homeCountryOf)).toEqual(["IN", "IN"]);
  expect(["America/New_York", "America/Indiana/Knox", "America/Toronto"].map(homeCountryOf)).toEqual([
    "US",
    "US",
    "US",
  ]);
  expect(["Europe/Berlin", "America/Mexico_City", "UTC"].map(homeCountryOf)).toEqual([null, null, null]);
});

test("numbers are distinguished from dates, times, ages and file numbers", () => {
  expect(["98765 43210", "+1 555 555 0100", "9.19877E+11"].every(looksLikeNumber)).toBeTrue();
  expect(
    ["2026-11-16", "16.11.2026", "16/11/26", "09:30", "42", "A-1234567890", "", "Asha"].some(looksLikeNumber),
  ).toBeFalse();
});

const written = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789+-(). eE९'")) }),
  fc.bigInt({ min: 0n, max: 10n ** 14n }).map(String),
);
const home = fc.constantFrom("IN" as const, "US" as const, null);

test("a complete number is unchanged, and nothing throws", () => {
  fc.assert(
    fc.property(written, home, home, (text, first, second) => {
      const once = completeNumber(text, first);
      if ("number" in once) expect(completeNumber(once.number, second)).toEqual(once);
    }),
    { numRuns: 2_000 },
  );
});
