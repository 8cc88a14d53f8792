// Diallable phone numbers: E.164, India (+91) and the North American Numbering Plan (+1).
import { Metadata, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { costlyKind, costlyWords } from "./costly-numbers.ts";
import { AppError } from "./errors.ts";
import { lazily } from "./lazily.ts";

/** ITU-T E.164: at most 15 digits. */
const E164 = /^\+[1-9][0-9]{1,14}$/;

export const isE164 = (number: string): boolean => E164.test(number);

/**
 * Possible digit counts after each calling code, from libphonenumber's metadata. Cached, because parsing took 68 µs per
 * number.
 */
const possibleLengths = lazily(
  () =>
    new Map([
      ["91", possibleLengthsIn("IN")],
      ["1", possibleLengthsIn("US")],
    ]),
);

function possibleLengthsIn(country: "IN" | "US"): readonly number[] {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  return metadata.numberingPlan?.possibleLengths() ?? [];
}

/** For a number to be called: diallable, and outside the expensive ranges that the settings do not allow. */
export function assertMayBeCalled(number: string, field: string, allowedRanges: readonly string[]): void {
  assertDiallable(number, field);
  const kind = costlyKind(number, allowedRanges);
  if (kind === null) return;
  const message = `${field} is ${costlyWords(kind)}`;
  throw new AppError(kind === "abroad" ? "UNSUPPORTED_COUNTRY" : "INVALID_PHONE_NUMBER", message, {
    details: [{ field, message }],
  });
}

/**
 * Throws the API's error for a number that cannot be dialled. Fictional 555 numbers pass, because the check is for
 * possible, not valid, numbers.
 */
export function assertDiallable(number: string, field: string): void {
  const fault = (code: "INVALID_PHONE_NUMBER" | "UNSUPPORTED_COUNTRY", message: string) =>
    new AppError(code, message, { details: [{ field, message }] });

  if (!E164.test(number)) {
    throw fault("INVALID_PHONE_NUMBER", `${field} must be E.164: "+", country code and digits only, without spaces.`);
  }
  if (number.startsWith("+910")) {
    throw fault("INVALID_PHONE_NUMBER", `${field} has a 0 after +91. Leave it out: it is dialled only within India.`);
  }
  if (/^\+1[01]/.test(number)) {
    throw fault("INVALID_PHONE_NUMBER", `${field} has no area code after +1: none begins with 0 or 1.`);
  }
  for (const [code, lengths] of possibleLengths()) {
    if (!number.startsWith(`+${code}`)) continue;
    if (lengths.includes(number.length - code.length - 1)) return;
    throw fault("INVALID_PHONE_NUMBER", `${field} has too few or too many digits for +${code}.`);
  }
  if (!parsePhoneNumberFromString(number)) {
    throw fault("INVALID_PHONE_NUMBER", `${field} does not start with a country code that exists.`);
  }
  throw fault("UNSUPPORTED_COUNTRY", `${field} must be an Indian (+91) or US (+1) number.`);
}
