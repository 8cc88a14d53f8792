// Premium-rate numbers that are never called.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { costlyKind } from "../../src/core/costly-numbers.ts";
import type { AppError } from "../../src/core/errors.ts";
import { assertMayBeCalled } from "../../src/core/phone.ts";

const COSTLY: Record<string, readonly string[]> = {
  premium: [
    "+19005550100",
    "+19765550100",
    "+12129765555",
    "+17005554141",
    "+9118601234567",
    "+911861123456789",
    "+9119001234567",
    "+979123456789",
  ],
  personal: ["+15002345678", "+15332345678", "+87810123456789"],
  satellite: ["+16002345678", "+870773123456", "+881612345678", "+8821612345678", "+8835100123456"],
  abroad: ["+18765550100", "+16585550100", "+12425550100", "+18095550100", "+14415550100", "+17215550100"],
};

describe.each(Object.entries(COSTLY))("%s:", (kind, numbers) => {
  test.each(numbers)("%s", (number) => {
    expect(costlyKind(number, [])).toBe(kind as never);
    expect(costlyKind(number, ["+1212", number.slice(0, 5)])).toBeNull();
  });
});

test.each([
  "+919876543210",
  "+919001234567",
  // Pathankot, Jammu and Keylong.
  "+911862234567",
  "+911912345678",
  "+911900222333",
  "+918001234567",
  "+9118001234567",
  "+12025550123",
  "+14165550123",
  "+17875550123",
  "+13405550123",
  "+16715550123",
  "+18005550199",
  "+12129755555",
  "+19175550976",
  // Fictional, and what telephony companies let people try with.
  "+15005550006",
  "+14155551212",
])("%s is an ordinary number", (number) => expect(costlyKind(number, [])).toBeNull());

test("whatever the numbering plans call premium, shared cost, personal or abroad is refused", () => {
  const HOME = ["US", "CA", "PR", "VI", "GU", "AS", "MP", "IN"];
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  const american = fc.tuple(fc.integer({ min: 200, max: 999 }), digits(7)).map(([area, rest]) => `+1${area}${rest}`);
  const indian = fc
    .tuple(fc.constantFrom("1860", "1861", "1862", "186", "190", "191"), fc.integer({ min: 6, max: 9 }), digits(9))
    .map(([start, length, rest]) => `+91${start}${rest.slice(0, length)}`);
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: american }, { weight: 1, arbitrary: indian }), (number) => {
      const parsed = parsePhoneNumberFromString(number);
      // Of the 800s, the plan gives the Dominican Republic those that begin with a 1. They are free.
      const isForeign = parsed?.country !== undefined && !HOME.includes(parsed.country);
      const isAbroad = isForeign && !number.startsWith("+18001");
      const type = parsed?.getType() ?? "";
      const isPaid = ["PREMIUM_RATE", "SHARED_COST", "PERSONAL_NUMBER"].includes(type) && !/^\+15..555/.test(number);
      if (!isAbroad && !isPaid) return;
      refused++;
      expect([number, costlyKind(number, []) !== null]).toEqual([number, true]);
    }),
    { numRuns: 3_000 },
  );
  expect(refused).toBeGreaterThan(20);
});

test("the refusal says why and what allows it, and never the number", () => {
  const faultOf = (number: string): AppError | null => {
    try {
      assertMayBeCalled(number, "user_number", ["+1876"]);
      return null;
    } catch (error) {
      return error as AppError;
    }
  };
  expect(faultOf("+19005550100")).toMatchObject({
    code: "INVALID_PHONE_NUMBER",
    message:
      "user_number is in a premium-rate or paid-service range, and such numbers are not called. Whoever runs this appliance can allow a range with calls.allowed_ranges.",
  });
  expect(faultOf("+12425550100")?.code).toBe("UNSUPPORTED_COUNTRY");
  expect(faultOf("+18765550100")).toBeNull();
  // Allowing a range makes no country out of it.
  expect(faultOf("+881612345678")?.code).toBe("UNSUPPORTED_COUNTRY");
});
