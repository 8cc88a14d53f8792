import { describe, expect, test } from "bun:test";
import type { AppError } from "../../src/core/errors.ts";
import { assertDiallable } from "../../src/core/phone.ts";

function faultOf(number: string): AppError | null {
  try {
    assertDiallable(number, "user_number");
    return null;
  } catch (error) {
    return error as AppError;
  }
}

describe("numbers that may be dialled", () => {
  test.each([
    "+919876543210",
    "+918012345678",
    "+914023456789",
    // Series of India's operators: promotional, and government and regulated bodies.
    "+911409876543",
    "+911600123456",
    "+12025550123",
    "+14155552671",
    "+15005550006",
    "+18005550199",
  ])("%s", (number) => expect(faultOf(number)).toBeNull());
});

describe("numbers that are no E.164 number, or too short or long for their country", () => {
  test.each([
    "",
    "+",
    "919876543210",
    "9876543210",
    "+91 98765 43210",
    "+91-9876543210",
    "+1 (202) 555-0123",
    " +919876543210",
    "+919876543210 ",
    "+919876543210\n",
    "+91987654321a",
    "++919876543210",
    "00919876543210",
    "+0919876543210",
    "+919876543",
    "+1202555012",
    "+120255501234",
    "+91",
    "+1",
    "+12025550123;ext=5",
    "+1234567890123456",
    "tel:+12025550123",
    "+९१९८७६५४३२१०",
    "+999123456789",
    // The zero of India's national form: it would give a telephone a second identity.
    "+9109876543210",
    "+91098765432",
    // No area code begins with 0 or 1.
    "+10125550123",
    "+11202555012",
  ])("%p", (number) => {
    const fault = faultOf(number);
    expect(fault?.code).toBe("INVALID_PHONE_NUMBER");
    expect(fault?.details).toEqual([{ field: "user_number", message: fault!.message }]);
  });
});

test("the refusal says which digit to leave out", () => {
  expect(faultOf("+9109876543210")?.message).toBe(
    "user_number has a 0 after +91. Leave it out: it is dialled only within India.",
  );
  expect(faultOf("+11202555012")?.message).toBe("user_number has no area code after +1: none begins with 0 or 1.");
});

describe("numbers of countries that are not served", () => {
  test.each(["+442071838750", "+4930901820", "+97144444444", "+6561234567", "+390612345678", "+861012345678"])(
    "%s",
    (number) => {
      expect(faultOf(number)?.code).toBe("UNSUPPORTED_COUNTRY");
    },
  );
});

test("the refusal never quotes the number", () => {
  for (const number of ["+9198765", "+442071838750", "98765 43210"])
    expect(faultOf(number)?.message).not.toContain(number);
});
