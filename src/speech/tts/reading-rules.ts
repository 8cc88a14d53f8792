// Text normalisation rules for English: symbols and digits become words. Rules run in order, so that a date is not read
// as a telephone number, nor a time as a fraction.
import { cardinal, digitByDigit, ordinal, spokenNumber, spokenYear } from "./spoken-number.ts";
import { spokenPhone } from "./spoken-phone.ts";
import { MONTHS, spokenDate, spokenTime } from "./spoken-time.ts";

/** Groups that did not match are empty. */
type Said = string | ((match: string, ...groups: string[]) => string);
export type Rule = readonly [pattern: RegExp, said: Said];

/** Hospital abbreviations that are spelled out. */
const SPELLED =
  /\b(?:ICU|NICU|CCU|MRI|ENT|ECG|EKG|EEG|OPD|IPD|CT|ID|UHID|MRN|OTP|PIN|HR|OT|ER|BP|GP|TB|HIV|IVF|UTI|PCR|CBC|RBC|WBC|TSH|LFT|KFT|USG|IU|IV|MBBS|MD|MS|DM|DNB|FRCS|UPI|QR|SMS|URL|PDF|TV|NRI|AC)\b/g;

const MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\.?";
const WEEKDAY: Readonly<Record<string, string>> = {
  Mon: "Monday",
  Tue: "Tuesday",
  Wed: "Wednesday",
  Thu: "Thursday",
  Fri: "Friday",
  Sat: "Saturday",
  Sun: "Sunday",
};

/** Singular and plural. */
const UNITS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  mg: ["milligram", "milligrams"],
  mcg: ["microgram", "micrograms"],
  μg: ["microgram", "micrograms"],
  gm: ["gram", "grams"],
  g: ["gram", "grams"],
  kg: ["kilogram", "kilograms"],
  kgs: ["kilogram", "kilograms"],
  ml: ["millilitre", "millilitres"],
  l: ["litre", "litres"],
  cm: ["centimetre", "centimetres"],
  mm: ["millimetre", "millimetres"],
  km: ["kilometre", "kilometres"],
  hr: ["hour", "hours"],
  hrs: ["hour", "hours"],
  min: ["minute", "minutes"],
  mins: ["minute", "minutes"],
  sec: ["second", "seconds"],
  mmhg: ["millimetre of mercury", "millimetres of mercury"],
  bpm: ["beat a minute", "beats a minute"],
  tab: ["tablet", "tablets"],
  tabs: ["tablet", "tablets"],
  cap: ["capsule", "capsules"],
  caps: ["capsule", "capsules"],
  "°c": ["degree Celsius", "degrees Celsius"],
  "°f": ["degree Fahrenheit", "degrees Fahrenheit"],
  "°": ["degree", "degrees"],
};
const PER: Readonly<Record<string, string>> = {
  dl: "decilitre",
  ml: "millilitre",
  l: "litre",
  kg: "kilogram",
  day: "day",
  hr: "hour",
  min: "minute",
  dose: "dose",
};
const UNIT_NAMES = "mg|mcg|μg|gm|g|kgs?|ml|l|cm|mm|km|hrs?|mins?|sec|mmHg|bpm|tabs?|caps?|°\\s?[CF]|°";
/** Dosing frequency, right after an amount. */
const OFTEN: Readonly<Record<string, string>> = {
  OD: "once a day",
  BD: "twice a day",
  BID: "twice a day",
  TDS: "three times a day",
  TID: "three times a day",
  QID: "four times a day",
  HS: "at bedtime",
  SOS: "when needed",
  PRN: "when needed",
};
const FRACTIONS: Readonly<Record<string, readonly [alone: string, afterAnd: string]>> = {
  "1/2": ["half", "a half"],
  "1/3": ["a third of", "a third"],
  "2/3": ["two thirds of", "two thirds"],
  "1/4": ["a quarter of", "a quarter"],
  "3/4": ["three quarters of", "three quarters"],
};
const CURRENCIES: Readonly<Record<string, readonly [one: string, several: string, hundredths: string]>> = {
  "₹": ["rupee", "rupees", "paise"],
  Rs: ["rupee", "rupees", "paise"],
  INR: ["rupee", "rupees", "paise"],
  $: ["dollar", "dollars", "cents"],
  USD: ["dollar", "dollars", "cents"],
  "€": ["euro", "euros", "cents"],
  EUR: ["euro", "euros", "cents"],
  "£": ["pound", "pounds", "pence"],
  GBP: ["pound", "pounds", "pence"],
};
const AMOUNT = "(\\d{1,12}(?:,\\d{2,3}){0,5}(?:\\.\\d{1,2})?)";
const NUMBER = "(\\d{1,12}(?:,\\d{2,3}){0,5}(?:\\.\\d{1,6})?)";

/** Longer addresses are reduced to their host. */
const LONGEST_PATH = 20;

const isOne = (number: string) => number === "1";

function money(sign: string, amount: string): string {
  const [one, several, hundredths] = CURRENCIES[sign] ?? ["", "", ""];
  const [whole = "", parts = ""] = amount.split(".");
  const counting = several === "rupees" ? "indian" : "western";
  const rest = Number(parts.padEnd(2, "0"));
  const small = `${cardinal(rest)} ${rest === 1 && hundredths === "cents" ? "cent" : hundredths}`;
  if (rest > 0 && Number(whole) === 0) return small;
  const said = `${spokenNumber(whole, counting)} ${isOne(whole) ? one : several}`;
  return rest === 0 ? said : `${said} and ${small}`;
}

function unit(number: string, name: string): string {
  const [one, several] = UNITS[name.replaceAll(" ", "").toLowerCase()] ?? [name, name];
  return `${spokenNumber(number)} ${isOne(number) ? one : several}`;
}

/** "10:30", with or without am or pm. */
function clockTime(hour: string, minute: string, half: string): string {
  const hours = Number(hour);
  if (half !== "") {
    const letters = ` ${half.toUpperCase()} M`;
    if (minute === "" || minute === "00") return cardinal(hours) + letters;
    return `${cardinal(hours)} ${minutes(minute)}${letters}`;
  }
  if (hours > 12 || hour === "00") return spokenTime(`${hour}:${minute}`);
  return minute === "00" ? `${cardinal(hours)} o'clock` : `${cardinal(hours)} ${minutes(minute)}`;
}

function minutes(minute: string): string {
  return minute.startsWith("0") ? `oh ${cardinal(Number(minute))}` : cardinal(Number(minute));
}

function monthNamed(short: string): string {
  return MONTHS.find((month) => month.startsWith(short)) ?? short;
}

const yearAfter = (year: string) => (year === "" ? "" : `, ${spokenYear(Number(year))}`);

/** 21/11/2026: read as a date only if day and month are unambiguous. */
function figureDate(match: string, first: string, second: string, year: string): string {
  const [a, b] = [Number(first), Number(second)];
  const isDayFirst = a > 12 && a <= 31 && b >= 1 && b <= 12;
  const isMonthFirst = b > 12 && b <= 31 && a >= 1 && a <= 12;
  const [day, month] = isMonthFirst ? [second, first] : [first, second];
  if (isDayFirst || isMonthFirst || (a === b && a >= 1 && a <= 12)) {
    return spokenDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
  }
  return a > 31 || b > 31 ? match : `${cardinal(a)} slash ${cardinal(b)}, ${spokenYear(Number(year))}`;
}

/** Names dots and slashes. */
function address(text: string): string {
  return text
    .replaceAll(/([a-z])(?=\d)|(\d)(?=[a-z])/gi, "$1$2 ")
    .replaceAll("@", " at ")
    .replaceAll(".", " dot ")
    .replaceAll("/", " slash ")
    .replaceAll("-", " dash ")
    .replaceAll("_", " underscore ");
}

function webAddress(host: string, path: string): string {
  const short = path.replace(/\/$/, "");
  return address(host.replace(/^www\./i, "") + (short.length <= LONGEST_PATH ? short : ""));
}

/** In order of application. Symbols are decomposed (NFKD): ½ is 1⁄2. */
export const READING_RULES: readonly Rule[] = [
  [/\p{M}/gu, ""], // the accents that NFKD has parted from their letters
  [/[‘’ʼ]/g, "'"],
  [/[“”«»"]/g, " "],
  [/⁄/g, "/"],
  [/\s*[–—]\s*(?=\d)(?<=\d\s*[–—]\s*)/g, "-"],
  [/\s*[–—]\s*/g, ", "],
  [/…/g, "."],
  // Addresses first, because they contain dots, digits and slashes.
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/g, (mail) => address(mail)],
  [
    /\b(?:https?:\/\/|(?=www\.))((?:[\w-]{1,63}\.){1,5}[a-z]{2,24})((?:\/[\w.%~/-]*)?)(?:[?#]\S*)?/gi,
    (_, host = "", path = "") => webAddress(host, path),
  ],
  // Dates.
  [/\b\d{4}-\d{2}-\d{2}\b/g, (date) => spokenDate(date)],
  [
    /\b(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)\d{2})\b/g,
    (match, a = "", b = "", year = "") => figureDate(match, a, b, year),
  ],
  [
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s*-\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g,
    (_, from = "", to = "") => `${WEEKDAY[from] ?? from} to ${WEEKDAY[to] ?? to}`,
  ],
  [
    /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|rs|urs|nes)?\.?(?=,?\s+(?:the\s+)?(?:\d|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))/g,
    (_, day = "") => WEEKDAY[day] ?? day,
  ],
  [
    new RegExp(
      `\\b(the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?![a-z])(?:,?\\s+((?:19|20)\\d{2})\\b)?`,
      "g",
    ),
    (_, _the = "", day = "", month = "", year = "") =>
      `the ${ordinal(Number(day))} of ${monthNamed(month)}${yearAfter(year)}`,
  ],
  [
    new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,?\\s+((?:19|20)\\d{2})\\b)?`, "g"),
    (_, month = "", day = "", year = "") => `${monthNamed(month)} ${ordinal(Number(day))}${yearAfter(year)}`,
  ],
  [
    new RegExp(`\\b${MONTH}\\s+((?:19|20)\\d{2})\\b`, "g"),
    (_, month = "", year = "") => `${monthNamed(month)} ${spokenYear(Number(year))}`,
  ],
  [
    /\b(in|since|until|year)\s+((?:19|20)\d{2})\b(?![,.]?\d|\s*[a-z%])/gi,
    (_, word = "", year = "") => `${word} ${spokenYear(Number(year))}`,
  ],
  // Times.
  [
    /\b(\d{1,2}(?:[.:]\d{2})?\s*(?:[ap]\.?m\b\.?)?)\s*-\s*(?=\d{1,2}(?:[.:]\d{2}|\s*[ap]\.?m\b))/gi,
    (_, from = "") => `${from.trim()} to `,
  ],
  [
    /\b(1[0-2]|0?[1-9])(?:[.:]([0-5]\d))?\s*([apAP])\.?\s?[mM]\.(?=\s+[A-Z{]|\s*$)/g,
    (_, hour = "", minute = "", half = "") => `${clockTime(hour, minute, half)}.`,
  ],
  [
    /\b(1[0-2]|0?[1-9])(?:[.:]([0-5]\d))?\s*([ap])\.?\s?m\b\.?/gi,
    (_, hour = "", minute = "", half = "") => clockTime(hour, minute, half),
  ],
  [
    /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?:\s*(?:hrs|hours)\b)?/g,
    (_, hour = "", minute = "") => clockTime(hour.length === 1 ? `0${hour}` : hour, minute, ""),
  ],
  // Money.
  [
    new RegExp(`(₹|\\bRs|\\bINR|\\bUSD|\\bEUR|\\bGBP|[$€£])\\.?\\s*${AMOUNT}(?![\\d,]*\\d)(?:/-)?`, "g"),
    (_, sign = "", amount = "") => money(sign, amount),
  ],
  [
    new RegExp(`(?<![\\d.,])${AMOUNT}\\s*(₹|Rs\\b\\.?|INR\\b|USD\\b|EUR\\b|GBP\\b|€|£)`, "g"),
    (_, amount = "", sign = "") => money(sign.replace(".", ""), amount),
  ],
  // Numbers read by their digits: rooms, codes, extensions.
  [
    /\b(room|ward|bed|flat|gate|ext(?:ension)?|code|OTP|PIN|token|bus|pass(?:word|code)|ref(?:erence)?)((?:\s+(?:no|number|is))?[.:#]?\s*)(\d{3,12})\b/gi,
    (_, word = "", between = "", digits = "") =>
      `${word}${between.replaceAll(/[.:#]/g, " ")} ${digitByDigit(digits, digits.length <= 4 ? "oh" : "zero")}`,
  ],
  [/\b(call|dial|ring)\s+(\d{3,6})\b(?![-,.]?\d)/gi, (_, word = "", digits = "") => `${word} ${digitByDigit(digits)}`],
  [/\b(?:No|Nr)\.\s*(?=\d)/gi, "number "],
  [/#\s*(?=\d)/g, "number "],
  // Doses, before slashes and dashes get another meaning.
  [
    /\b(\d{1,3}) +(1\/2|1\/3|2\/3|1\/4|3\/4)(?![\d/])/g,
    (_, whole = "", part = "") => `${cardinal(Number(whole))} and ${FRACTIONS[part]?.[1] ?? part}`,
  ],
  [/(?<![\d/])1\/2(?![\d/])(?=\s+(?:an?\s+)?[a-z])\s+(?:an?\s+)?/g, "half a "],
  [
    /(?<![\d/])(1\/3|2\/3|1\/4|3\/4)(?![\d/])(?=\s+(?:of\s+)?an?\s)\s+(?:of\s+)?/g,
    (_, part = "") => `${FRACTIONS[part]?.[0] ?? part} `,
  ],
  [/(?<![\d/])(1\/3|2\/3|1\/4|3\/4)(?![\d/])(?=\s+[a-z])/g, (_, part = "") => `${FRACTIONS[part]?.[0] ?? part} a`],
  [/(?<![\d/])(1\/2|1\/3|2\/3|1\/4|3\/4)(?![\d/])/g, (_, part = "") => FRACTIONS[part]?.[1] ?? part],
  [
    /(?<![\d/])(\d{2,3})\/(\d{2,3})(?![\d/])/g,
    (_, high = "", low = "") => `${spokenNumber(high)} over ${spokenNumber(low)}`,
  ],
  [
    /(?<![\d-])([0-3])-([0-3])-([0-3])(?![\d-])/g,
    (_, a = "", b = "", c = "") => [a, b, c].map((each) => cardinal(Number(each))).join(", "),
  ],
  [
    new RegExp(`(?<![\\d.,])${NUMBER}\\s?(mg|mcg|μg|g|ml|units?|IU)\\s?/\\s?(dl|ml|l|kg|day|hr|min|dose)\\b`, "gi"),
    (_, number = "", name = "", per = "") => `${unit(number, name)} per ${PER[per.toLowerCase()] ?? per}`,
  ],
  [
    new RegExp(`(?<![\\d.,])${NUMBER}\\s*-\\s*(?=\\d{1,4}(?:\\.\\d+)?\\s*(?:[a-z°%]))(?<!\\d{5}\\s*-\\s*)`, "gi"),
    (_, from = "") => `${spokenNumber(from)} to `,
  ],
  [
    new RegExp(
      `(?<![\\d.,])${NUMBER}\\s?(${UNIT_NAMES})(?![a-z\\d])\\.?(?=\\s*(?:[,;:!?)]|\\s[a-z(]|\\s?(?:OD|BD|BID|TDS|TID|QID|HS|SOS|PRN)\\b))`,
      "gi",
    ),
    (_, number = "", name = "") => unit(number, name),
  ],
  [
    new RegExp(`(?<![\\d.,])${NUMBER}\\s?(${UNIT_NAMES})(?![a-z\\d])`, "gi"),
    (_, number = "", name = "") => unit(number, name),
  ],
  [
    /(?<=(?:gram|grams|litre|litres|tablets?|capsules?|drops|puffs?|units?)\s+)(OD|BD|BID|TDS|TID|QID|HS|SOS|PRN)\b/g,
    (often) => OFTEN[often] ?? often,
  ],
  [new RegExp(`(?<![\\d.,])${NUMBER}\\s?%`, "g"), (_, number = "") => `${spokenNumber(number)} percent`],
  // Telephone numbers: with a plus, in groups, or long.
  [/\+\d{1,3}(?:[\s().-]{0,2}\d){5,14}(?!\d)/g, (number) => spokenPhone(number) ?? number],
  [
    /(?<![\d.,])(?:\(\d{2,5}\)\s?|\d{2,5}[ -])\d{3,5}[ -]?\d{3,5}(?:[ -]\d{2,5})?(?![\d.,]*\d)/g,
    (number) => spokenPhone(number) ?? number,
  ],
  [/(?<![\d.,])\d{5} \d{5}(?![\d.,]*\d)/g, (number) => spokenPhone(number) ?? number],
  [/(?<![\d.,])\d{7,15}(?![\d.,]*\d)/g, (number) => spokenPhone(number) ?? number],
  // Ordinals and remaining numbers.
  [/\b(\d{1,6})(?:st|nd|rd|th)\b/gi, (_, number = "") => ordinal(Number(number))],
  [new RegExp(`(?<![\\d.,])${NUMBER}(?![\\d])`, "g"), (_, number = "") => ` ${spokenNumber(number)} `],
  [/\d+/g, (digits) => ` ${digitByDigit(digits)} `],
  // Titles and abbreviations.
  [/\bDr\b\.?(?=\s*[A-Z{])/g, "Doctor"],
  [/\bDr\b\.?/g, "Doctor"], // "Drive" at the end of an address
  [/\bProf\b\.?/g, "Professor"],
  [/\bMr\b\.?/g, "Mister"],
  [/\bMrs\b\.?/g, "Missus"],
  [/\bMs\b\.?(?=\s+[A-Z{])/g, "Miz"],
  [/\bSmt\b\.?/g, "Shrimati"],
  [/\bSt\b\.?(?=\s+[A-Z])/g, "Saint"],
  [/\bSt\b\.?(?=\s*(?:,|$))/g, "Street"],
  [/\b(?:approx)\b\.?/gi, "about"],
  [/\be\.\s?g\.,?/gi, "for example"],
  [/\bi\.\s?e\.,?/gi, "that is"],
  [/\betc\b\.?/gi, "et cetera"],
  [/\bvs\b\.?/gi, "versus"],
  [SPELLED, (letters) => letters.split("").join(" ")],
  // Initials: "R. K. Sharma". An "A" alone would be read as the article.
  [/(?<![AP] )\b([A-Z])\.\s*(?=[A-Z])/g, (_, letter = "") => (letter === "A" ? "Ay " : `${letter} `)],
  [/&/g, " and "],
  [/@/g, " at "],
  [/\+/g, " plus "],
  [/\(([^()]{0,200})\)/g, ", $1, "],
  [/\band\/or\b/gi, "or"],
  [/(?<=[A-Za-z])\/(?=(?:day|night|week|month|year|hour)\b)/g, " a "],
  [/(?<=[A-Za-z])\/(?=[A-Za-z])/g, " or "],
  [/(?<=[A-Za-z])[-‐‑](?=[A-Za-z])/g, " "],
  // Removes everything else.
  [/[^A-Za-z' .,!?;:]+/g, " "],
  [/(?<![A-Za-z])'|'(?![A-Za-z])/g, " "],
  [/\s+([.,!?;:])/g, "$1"],
  [/([.,!?;:])[.,!?;:]*([.!?])/g, "$2"],
  [/([,;:])(?:\s*[,;:])+/g, "$1"],
  [/([.,!?;:])(?=[A-Za-z])/g, "$1 "],
  [/\s+/g, " "],
];
