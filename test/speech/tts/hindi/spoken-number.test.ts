import { expect, test } from "bun:test";
import { cardinal, decimal, digitByDigit, year } from "../../../../src/speech/tts/hindi/spoken-number.ts";

test.each([
  [0, "शून्य"],
  [6, "छह"],
  [19, "उन्नीस"],
  [29, "उनतीस"],
  [38, "अड़तीस"],
  [44, "चौवालीस"],
  [69, "उनहत्तर"],
  [79, "उन्यासी"],
  [99, "निन्यानवे"],
  [100, "एक सौ"],
  [101, "एक सौ एक"],
  [555, "पाँच सौ पचपन"],
  [1_000, "एक हज़ार"],
  [2_500, "दो हज़ार पाँच सौ"],
  [100_000, "एक लाख"],
  [1_234_567, "बारह लाख चौंतीस हज़ार पाँच सौ सड़सठ"],
  [20_000_000, "दो करोड़"],
])("%d is said %s", (value, said) => {
  expect(cardinal(value)).toBe(said);
});

test("every number below a hundred has a word of its own", () => {
  const words = Array.from({ length: 100 }, (_, value) => cardinal(value));
  expect(new Set(words).size).toBe(100);
  expect(words.every((word) => /^[\u0900-\u097F]+$/.test(word))).toBeTrue();
});

test("the years of the last century are counted in hundreds, those of this one in thousands", () => {
  expect(year(1947)).toBe("उन्नीस सौ सैंतालीस");
  expect(year(1900)).toBe("उन्नीस सौ");
  expect(year(2026)).toBe("दो हज़ार छब्बीस");
});

test("digits are said one by one, and so is what follows the point", () => {
  expect(digitByDigit("0 98-7")).toBe("शून्य नौ आठ सात");
  expect(decimal("98", "60")).toBe("अट्ठानवे दशमलव छह शून्य");
});

test("what is no number that people count is said digit by digit", () => {
  expect(cardinal(9_876_543_210)).toBe("नौ आठ सात छह पाँच चार तीन दो एक शून्य");
});
