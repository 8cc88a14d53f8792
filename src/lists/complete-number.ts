// Converts numbers as written by people or mangled by spreadsheets to E.164.
import { withoutTrunkZero } from "../core/trunk-zero.ts";

/** Country whose numbers may be written without a country code. */
export type HomeCountry = "IN" | "US";

export type Completed = { number: string } | { fault: "missing" | "not_a_number" | "shortened" | "incomplete" };

/** Null for other countries: then every number needs a country code, and the user is asked. */
export function homeCountryOf(timeZone: string): HomeCountry | null {
  if (/^Asia\/(?:Kolkata|Calcutta)$/.test(timeZone)) return "IN";
  return NORTH_AMERICA.test(timeZone) ? "US" : null;
}
const NORTH_AMERICA =
  /^(?:US\/|Canada\/|America\/(?:New_York|Chicago|Denver|Phoenix|Los_Angeles|Anchorage|Detroit|Boise|Juneau|Sitka|Nome|Adak|Menominee|Puerto_Rico|Toronto|Vancouver|Edmonton|Winnipeg|Halifax|Regina|St_Johns|Moncton|Whitehorse|Indiana\/|Kentucky\/|North_Dakota\/)|Pacific\/Honolulu$)/;

/** Digits of Indian scripts are 128 code points apart; Arabic and Persian digits follow. */
const OTHER_DIGITS =
  /[\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0660-\u0669\u06f0-\u06f9]/g;
const digitOf = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x06f0) return String(code - 0x0660);
  return String(code < 0x0966 ? code - 0x06f0 : (code - 0x0966) % 128);
};

/** Spaces, dashes, dots and brackets, and invisible characters copied along with a number from a message. */
const BETWEEN_DIGITS = /[\s().\-\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** 9.19877E+11 */
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
const LONGEST_WRITTEN = 60;
/** National numbers of both countries have ten digits. */
const NATIONAL_DIGITS = 10;

export function completeNumber(text: string, home: HomeCountry | null): Completed {
  const written = text
    .normalize("NFKC")
    .replaceAll(OTHER_DIGITS, digitOf)
    .trim()
    .replace(/^'/, "")
    .replace(/^tel:/i, "");
  if (written === "") return { fault: "missing" };
  if (written.length > LONGEST_WRITTEN) return { fault: "not_a_number" };
  const scientific = SCIENTIFIC.exec(written.replaceAll(/\s/g, ""));
  if (scientific) return fromScientific(scientific, home);
  // A numeric cell: 919876543210.0
  const dialled = written.replace(/^(\d{7,})[.,]0+$/, "$1").replaceAll(BETWEEN_DIGITS, "");
  if (!/^\+?\d+$/.test(dialled)) return { fault: "not_a_number" };
  return withCountry(dialled, home);
}

/** Accepts a number in scientific notation only if it has all digits; rounded digits are lost. */
function fromScientific(
  [, first = "", rest = "", exponent = ""]: RegExpExecArray,
  home: HomeCountry | null,
): Completed {
  const zeros = Number(exponent) - rest.length;
  if (zeros > 0) return { fault: "shortened" };
  const digits = first + rest;
  const whole = digits.slice(0, Number(exponent) + 1);
  return /^0*$/.test(digits.slice(whole.length)) ? withCountry(whole, home) : { fault: "not_a_number" };
}

function withCountry(dialled: string, home: HomeCountry | null): Completed {
  if (dialled.startsWith("+")) return { number: withoutTrunkZero(dialled) };
  if (/^00\d/.test(dialled)) return { number: withoutTrunkZero(`+${dialled.slice(2)}`) };
  if (home === "US" && /^0111?\d{10,}$/.test(dialled)) return { number: withoutTrunkZero(`+${dialled.slice(3)}`) };
  const code = home === "IN" ? "91" : "1";
  const national = home === null ? null : nationalDigits(dialled, home, code);
  return national === null ? { fault: "incomplete" } : { number: `+${code}${national}` };
}

function nationalDigits(dialled: string, home: HomeCountry, code: string): string | null {
  const isTrunkZero = home === "IN" && dialled.startsWith("0");
  const digits = isTrunkZero ? dialled.slice(1) : dialled;
  if (digits.length === NATIONAL_DIGITS) return digits;
  return digits.length === NATIONAL_DIGITS + code.length && digits.startsWith(code) ? digits.slice(code.length) : null;
}

/** Distinguishes a column of numbers from other columns, before the country is known. */
export function looksLikeNumber(text: string): boolean {
  if (!/\d/.test(text.normalize("NFKC").replaceAll(OTHER_DIGITS, digitOf))) return false;
  // A date may have eight digits with dashes or dots, like some numbers.
  if (/^\s*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b/.test(text)) return false;
  return ["IN", null].some((home) => {
    const completed = completeNumber(text, home as HomeCountry | null);
    return "number" in completed ? completed.number.length >= 9 : completed.fault === "shortened";
  });
}
