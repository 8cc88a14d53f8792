// Normalises numbers from trunks, which write them with a plus, with 00, with a national 0, or as bare digits.
import { withoutNul } from "./clean-text.ts";
import { withoutTrunkZero } from "./trunk-zero.ts";

/** Fewer digits could be the suffix of many numbers. */
const LEAST_DIGITS_THAT_TELL = 7;
/** Length of an Indian or North American number without country code. */
const NATIONAL_DIGITS = 10;
const LONGEST_KEPT = 32;

/** Which of our numbers was dialled: the exact match, otherwise the only one with this suffix. */
export function numberDialled<Own extends { number: string }>(dialled: string, ours: readonly Own[]): Own | undefined {
  const exact = ours.find(({ number }) => number === dialled);
  if (exact) return exact;
  const digits = significantDigits(dialled);
  if (digits.length < LEAST_DIGITS_THAT_TELL) return undefined;
  const [only, ...others] = ours.filter(({ number }) => number.slice(1).endsWith(digits));
  return others.length === 0 ? only : undefined;
}

/** The caller in E.164 if it can be derived, with the country of the called number. */
export function e164Of(caller: string, called: string): string {
  if (/^\+[1-9][0-9]{6,14}$/.test(caller)) return withoutTrunkZero(caller);
  const international = /^00([1-9][0-9]{6,14})$/.exec(caller)?.[1];
  if (international !== undefined) return withoutTrunkZero(`+${international}`);
  const digits = /^[0-9]+$/.test(caller) ? significantDigits(caller) : "";
  const country = called.startsWith("+91") ? "91" : "1";
  if (digits.length === NATIONAL_DIGITS) return `+${country}${digits}`;
  const whole = withoutTrunkZero(`+${digits}`);
  if (whole.length === 1 + country.length + NATIONAL_DIGITS && whole.startsWith(`+${country}`)) return whole;
  // An internal extension, or a withheld number.
  return withoutNul(caller).slice(0, LONGEST_KEPT) || "anonymous";
}

function significantDigits(text: string): string {
  return text.replace(/[^0-9]/g, "").replace(/^0+/, "");
}
