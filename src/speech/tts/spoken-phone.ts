// Spoken telephone numbers: digit by digit, with a pause between groups.
import { digitByDigit } from "./spoken-number.ts";

/** E.164 maximum. */
const MOST_DIGITS = 15;
const FEWEST_DIGITS = 7;

/** Digits of the national number per group. */
const GROUPS: readonly { code: string; nationalDigits: number; groups: readonly number[] }[] = [
  { code: "91", nationalDigits: 10, groups: [5, 5] },
  { code: "1", nationalDigits: 10, groups: [3, 3, 4] },
];

/** Null if the number of digits is out of range. */
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
  // Keeps the writer's groups.
  const parts = written.match(/\d+/g) ?? [];
  if (parts.length > 1 && parts.every((part) => part.length <= 5)) return parts;
  // Ten digits beginning with 6 to 9 are an Indian mobile number.
  if (digits.length === 10) return cut(digits, /^[6-9]/.test(digits) ? [5, 5] : [3, 3, 4]);
  return cut(digits, [4, 4, 4, 4]);
}

function cut(digits: string, lengths: readonly number[]): string[] {
  let at = 0;
  return lengths.map((length) => digits.slice(at, (at += length))).filter((group) => group !== "");
}
