// Text normalisation for the Hindi voice: dates, times, numbers, money and abbreviations are written out as words.
// Latin words stay, and are spoken in English.
import { spokenPhone } from "../spoken-phone.ts";
import { cardinal, decimal, digitByDigit, year } from "./spoken-number.ts";
import { clockTime, dayOfMonth, MONTHS, partOfDay } from "./spoken-time.ts";

type Rule = readonly [pattern: RegExp, said: string | ((...groups: string[]) => string)];

/** A word marked with its pronunciation; rules must not change it. */
const PRONOUNCED = /(\{[^{}|]*\|[^{}|]*\})/;

const UNITS: Readonly<Record<string, string>> = {
  mg: "मिलीग्राम",
  mcg: "माइक्रोग्राम",
  g: "ग्राम",
  gm: "ग्राम",
  kg: "किलो",
  ml: "मिलीलीटर",
  l: "लीटर",
  cm: "सेंटीमीटर",
  km: "किलोमीटर",
  min: "मिनट",
  "%": "प्रतिशत",
  "°c": "डिग्री सेल्सियस",
  "°f": "डिग्री फ़ारेनहाइट",
};

/** Longer numbers are identifiers and are read digit by digit. */
const MOST_COUNTED_DIGITS = 9;

const RULES: readonly Rule[] = [
  [/(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g, (whole, y, m, d) => dateOf(whole, d, m, y)],
  [/(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)/g, (whole, d, m, y) => dateOf(whole, d, m, y)],
  [/(?<!\d)([01]?\d|2[0-3])[:.]([0-5]\d)\s*(am|pm|a\.m\.|p\.m\.)(?![a-z])\.?/gi, (_, h, m, half) => timeOf(h, m, half)],
  [/(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])(?:\s*बजे)?/g, (_, h, m) => timeOf(h, m, "")],
  [/(?<!\d)(1[0-2]|0?[1-9])\s*(am|pm|a\.m\.|p\.m\.)(?![a-z])\.?/gi, (_, h, half) => timeOf(h, "00", half)],
  [/\+?\d[\d\s-]{5,}\d/g, (written) => spokenPhone(written, digitByDigit) ?? written],
  [/(?:₹|(?<![A-Za-z])Rs\.?|रु\.)\s*(\d[\d,]*)(?:\.\d+)?/g, (_, amount) => `${numberOf(amount)} रुपये`],
  [
    /(\d[\d,]*)(?:\.(\d+))?\s*(mg|mcg|gm|kg|ml|cm|km|min|g|l|%|°c|°f)(?![A-Za-z])/gi,
    (_, whole, fraction, unit) => `${amountOf(whole, fraction)} ${UNITS[unit.toLowerCase()] ?? ""}`,
  ],
  [/(?<![\d.])(\d[\d,]*)\.(\d+)(?![\d.])/g, (_, whole, fraction) => amountOf(whole, fraction)],
  [/(?<!\d)1[1-9]\d\d(?!\d)/g, (written) => year(Number(written))],
  [/\d{1,3}(?:,\d{2,3})+(?!\d)|\d+/g, (written) => numberOf(written)],
  [/डॉ\.?(?=\s)|(?<![A-Za-z])Dr\.?(?=\s)/g, "डॉक्टर"],
  [/(?<![A-Za-z])Mr\.?(?=\s)/g, "मिस्टर"],
  [/(?<![A-Za-z])Mrs\.?(?=\s)/g, "मिसेज़"],
  [/प्रो\.(?=\s)/g, "प्रोफ़ेसर"],
  [/(?:नं\.|(?<![A-Za-z])No\.)(?=\s)/g, "नंबर"],
  [/&/g, " और "],
  [/[।॥|]/g, "."],
  [/[()[\]"“”«»]|\s[–—-]+\s/g, ", "],
  [/[^\p{L}\p{M}\s.,!?;:']/gu, " "],
  [/\s+/g, " "],
  [/\s+(?=[.,!?;:])/g, ""],
];

/** Returns the readable part of the text. */
export function readHindi(text: string): string {
  return text
    .split(PRONOUNCED)
    .map((part, i) => (i % 2 === 1 ? part : rewritten(part)))
    .join("")
    .trim();
}

function rewritten(text: string): string {
  const inFigures = text.normalize("NFC").replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966));
  return RULES.reduce(
    (written, [pattern, said]) =>
      typeof said === "string"
        ? written.replaceAll(pattern, said)
        : written.replaceAll(pattern, (...groups: unknown[]) =>
            said(...groups.map((group) => (typeof group === "string" ? group : ""))),
          ),
    inFigures,
  );
}

function dateOf(whole: string, day: string | undefined, month: string | undefined, of: string | undefined): string {
  const isDate = MONTHS[Number(month) - 1] !== undefined && Number(day) >= 1 && Number(day) <= 31;
  return isDate ? `${dayOfMonth(Number(day), Number(month) - 1)} ${year(Number(of))}` : whole;
}

/** `half`: am or pm, if given; otherwise derived from the 24-hour clock. */
function timeOf(hourText: string | undefined, minuteText: string | undefined, half: string | undefined): string {
  const isPm = /^p/i.test(half ?? "");
  const written = Number(hourText);
  const hour = half === "" ? written : (written % 12) + (isPm ? 12 : 0);
  const said = clockTime(hour, Number(minuteText));
  return half !== "" || hour > 12 || hour === 0 ? `${partOfDay(hour)} ${said}` : said;
}

function numberOf(written: string | undefined): string {
  const digits = (written ?? "").replaceAll(",", "");
  return /^0\d/.test(digits) || digits.length > MOST_COUNTED_DIGITS ? digitByDigit(digits) : cardinal(Number(digits));
}

function amountOf(whole: string | undefined, fraction: string | undefined): string {
  const digits = (whole ?? "").replaceAll(",", "");
  return fraction ? decimal(digits, fraction) : numberOf(digits);
}
