// Telephone numbers as people tell them: digit by digit, with a breath where the groups are.
import { digitByDigit } from "./spoken-number.ts";

/** The longest by E.164; more digits are no telephone number. */
const MOST_DIGITS = 15;
const FEWEST_DIGITS = 7;

/** How many digits of the national number are said in one breath. */
const GROUPS: readonly { code: string; nationalDigits: number; groups: readonly number[] }[] = [
  { code: "91", nationalDigits: 10, groups: [5, 5] },
  { code: "1", nationalDigits: 10, groups: [3, 3, 4] },
];

/** Null where it has too few or too many digits to be one. */
export function spokenPhone(written: string, say: (digits: string) => string = digitByDigit): string | null {
  const digits = written.replaceAll(/\D/g, "");
  if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) return null;
  return groupsOf(digits, written)
    .map((group) => say(group))
    .join(", ");
}

function groupsOf(digits: string, written: string): string[] {
  const known = GROUPS.find(
    ({ code, nationalDigits }) => digits.length === code.length + nationalDigits && digits.startsWith(code),
  );
  if (known && written.includes("+")) return [known.code, ...cut(digits.slice(known.code.length), known.groups)];
  // As the writer grouped them, where they did.
  const parts = written.match(/\d+/g) ?? [];
  if (parts.length > 1 && parts.every((part) => part.length <= 5)) return parts;
  // Ten digits beginning with 6 to 9 are an Indian mobile.
  if (digits.length === 10) return cut(digits, /^[6-9]/.test(digits) ? [5, 5] : [3, 3, 4]);
  return cut(digits, [4, 4, 4, 4]);
}

function cut(digits: string, lengths: readonly number[]): string[] {
  let at = 0;
  return lengths.map((length) => digits.slice(at, (at += length))).filter((group) => group !== "");
}
