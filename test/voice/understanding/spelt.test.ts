// Digits and letters said one by one.
import { describe, expect, test } from "bun:test";
import { speltLetters, spokenDigits } from "../../../src/voice/understanding/spelt.ts";

describe("digits:", () => {
  test.each([
    ["nine eight seven six five four three two one zero", "9876543210"],
    ["nine eight double three", "9833"],
    ["double nine eight triple four", "998444"],
    ["9 8 4 0 2 1", "984021"],
    ["98 40 21 33", "98402133"],
    ["My number is 98402 13355.", "9840213355"],
    ["oh four four, two two", "04422"],
    ["ninety eight forty twenty one", "984021"],
    ["plus nine one, nine eight", "9198"],
    ["nine nine nine", "999"],
    ["twelve thirty four", "1234"],
    ["zero zero one", "001"],
  ])("%p is %s", (text, digits) => expect(spokenDigits(text)).toBe(digits));

  test.each(["the first one I think", "that one would be good for me", "double trouble", "", "yes", "double"])(
    "%p is no number",
    (text) => expect(spokenDigits(text)).toBeNull(),
  );
});

describe("letters:", () => {
  test.each([
    ["S H A R M A", "SHARMA"],
    ["S-H-A-R-M-A.", "SHARMA"],
    ["S for sugar, H for hotel, A", "SHA"],
    ["S as in sugar H as in house", "SH"],
    ["R A double O", "RAOO"],
    ["B for Bombay E L L", "BELL"],
    ["sierra hotel alpha", "SHA"],
    ["It is capital R, A, O", "RAO"],
  ])("%p is %s", (text, letters) => expect(speltLetters(text)).toBe(letters));

  test.each(["I am Anita Sharma", "a doctor", "", "I", "for sugar", "yes"])("%p is no spelling", (text) =>
    expect(speltLetters(text)).toBeNull(),
  );
});
