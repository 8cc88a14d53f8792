// Spoken English numbers: cardinals, ordinals, digits.

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/** Irregular ordinals. */
const ODD_ORDINALS: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};

type Scale = readonly (readonly [size: number, name: string])[];
const WESTERN: Scale = [
  [1_000_000_000, "billion"],
  [1_000_000, "million"],
  [1_000, "thousand"],
];
/** Indian counting: 1,50,000 is one lakh fifty thousand. */
const INDIAN: Scale = [
  [10_000_000, "crore"],
  [100_000, "lakh"],
  [1_000, "thousand"],
];

/** Longer numbers are read digit by digit. */
export const MOST_DIGITS_OF_A_NUMBER = 12;

export type Counting = "western" | "indian";

/** A whole number from 0 to below 10¹². */
export function cardinal(value: number, counting: Counting = "western"): string {
  if (value < 100) return belowHundred(value);
  for (const [size, name] of counting === "indian" ? INDIAN : WESTERN) {
    if (value >= size) {
      const rest = value % size;
      const head = `${cardinal(Math.floor(value / size), counting)} ${name}`;
      return rest === 0 ? head : `${head} ${cardinal(rest, counting)}`;
    }
  }
  const rest = value % 100;
  return `${belowHundred(Math.floor(value / 100))} hundred${rest === 0 ? "" : ` ${belowHundred(rest)}`}`;
}

function belowHundred(value: number): string {
  const one = ONES[value];
  if (one !== undefined) return one;
  const ten = TENS[Math.floor(value / 10)] ?? "";
  return value % 10 === 0 ? ten : `${ten} ${ONES[value % 10] ?? ""}`;
}

export function ordinal(value: number): string {
  const words = cardinal(value).split(" ");
  const last = words.pop() ?? "";
  return [...words, ODD_ORDINALS[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`)].join(" ");
}

/** "4051" → "four zero five one". Other characters are dropped. */
export function digitByDigit(text: string, zero: "zero" | "oh" = "zero"): string {
  return (text.match(/\d/g) ?? []).map((digit) => (digit === "0" ? zero : (ONES[Number(digit)] ?? ""))).join(" ");
}

/** "1,50,000", "2500", "38.5", "007": follows the written form. */
export function spokenNumber(written: string, counting: Counting = countingOf(written)): string {
  const [whole = "", decimals] = written.replaceAll(",", "").split(".");
  const isCounted = whole.length <= MOST_DIGITS_OF_A_NUMBER && !/^0\d/.test(whole);
  const said = isCounted ? cardinal(Number(whole), counting) : digitByDigit(whole);
  return decimals ? `${said} point ${digitByDigit(decimals)}` : said;
}

/** Commas after every two digits mean Indian counting. */
function countingOf(written: string): Counting {
  return /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.|$)/.test(written) ? "indian" : "western";
}

/** "twenty twenty six", "nineteen eighty five", "two thousand five". */
export function spokenYear(year: number): string {
  const [century, rest] = [Math.floor(year / 100), year % 100];
  if (century % 10 === 0 && rest < 10) return cardinal(year);
  if (rest === 0) return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest < 10 ? "oh " : ""}${cardinal(rest)}`;
}
