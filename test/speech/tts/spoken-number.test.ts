import { describe, expect, test } from "bun:test";
import { cardinal, ordinal, spokenNumber, spokenYear } from "../../../src/speech/tts/spoken-number.ts";
import { spokenPhone } from "../../../src/speech/tts/spoken-phone.ts";

describe("counting words:", () => {
  const cases: [number, string][] = [
    [0, "zero"],
    [13, "thirteen"],
    [42, "forty two"],
    [100, "one hundred"],
    [118, "one hundred eighteen"],
    [2_005, "two thousand five"],
    [1_000_000, "one million"],
    [
      999_999_999_999,
      "nine hundred ninety nine billion nine hundred ninety nine million nine hundred ninety nine thousand nine hundred ninety nine",
    ],
  ];
  for (const [value, words] of cases) test(String(value), () => expect(cardinal(value)).toBe(words));
});

test("India counts in lakh and crore", () => {
  expect(cardinal(150_000, "indian")).toBe("one lakh fifty thousand");
  expect(cardinal(20_300_000, "indian")).toBe("two crore three lakh");
  expect(spokenNumber("1,50,000")).toBe("one lakh fifty thousand");
  expect(spokenNumber("150,000")).toBe("one hundred fifty thousand");
});

test("ordinals end as they should", () => {
  expect([1, 2, 3, 4, 5, 8, 9, 12, 20, 21, 40, 100].map(ordinal)).toEqual([
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "eighth",
    "ninth",
    "twelfth",
    "twentieth",
    "twenty first",
    "fortieth",
    "one hundredth",
  ]);
});

test("years are said in two halves, but for the first of a millennium", () => {
  expect([1985, 1905, 1900, 2000, 2009, 2026].map(spokenYear)).toEqual([
    "nineteen eighty five",
    "nineteen oh five",
    "nineteen hundred",
    "two thousand",
    "two thousand nine",
    "twenty twenty six",
  ]);
});

test("no number below ten thousand shares its words with another", () => {
  expect(new Set(Array.from({ length: 10_000 }, (_, value) => cardinal(value))).size).toBe(10_000);
});

test("what has too few or too many digits is no telephone number", () => {
  expect(spokenPhone("123456")).toBeNull();
  expect(spokenPhone("1234567890123456")).toBeNull();
});
