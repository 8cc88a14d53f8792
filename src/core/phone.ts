// Which phone numbers may be dialled: E.164, India (+91) and the North American plan (+1).
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { AppError } from "./errors.ts";

/** ITU-T E.164: at most 15 digits. */
const E164 = /^\+[1-9][0-9]{1,14}$/;
const CALLING_CODES = new Set(["91", "1"]);

export type CallingCode = "91" | "1";

/** Throws what the API answers for a number that cannot be dialled. Fictional 555 numbers pass: possible, not valid, is asked. */
export function assertDiallable(number: string, field: string): void {
  const fault = (code: "INVALID_PHONE_NUMBER" | "UNSUPPORTED_COUNTRY", message: string) =>
    new AppError(code, message, { details: [{ field, message }] });

  if (!E164.test(number)) {
    throw fault("INVALID_PHONE_NUMBER", `${field} must be E.164: "+", country code and digits only, without spaces.`);
  }
  const parsed = parsePhoneNumberFromString(number);
  if (!parsed) {
    throw fault("INVALID_PHONE_NUMBER", `${field} does not start with a country code that exists.`);
  }
  if (!CALLING_CODES.has(parsed.countryCallingCode)) {
    throw fault("UNSUPPORTED_COUNTRY", `${field} must be an Indian (+91) or US (+1) number.`);
  }
  if (!parsed.isPossible()) {
    throw fault("INVALID_PHONE_NUMBER", `${field} has too few or too many digits for +${parsed.countryCallingCode}.`);
  }
}
