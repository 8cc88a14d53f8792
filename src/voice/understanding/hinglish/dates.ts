// Translates Hindi words for days, times and numbers to English: "kal subah das baje" → "tomorrow morning 10 oclock".
// Numbers count only next to "baje", "tarikh", "din" and similar words, because "do", "saat" and "char" have other
// meanings.

const NUMBERS: Readonly<Record<string, number>> = {
  ek: 1,
  do: 2,
  teen: 3,
  char: 4,
  chaar: 4,
  paanch: 5,
  panch: 5,
  chhe: 6,
  che: 6,
  chah: 6,
  saat: 7,
  aath: 8,
  nau: 9,
  das: 10,
  dus: 10,
  gyarah: 11,
  gyara: 11,
  barah: 12,
  bara: 12,
  terah: 13,
  chaudah: 14,
  pandrah: 15,
  solah: 16,
  satrah: 17,
  atharah: 18,
  unnis: 19,
  bees: 20,
  ikkis: 21,
  bais: 22,
  teis: 23,
  chaubis: 24,
  pachis: 25,
  chhabbis: 26,
  sattais: 27,
  atthais: 28,
  untis: 29,
  tees: 30,
  ikattis: 31,
};
const ENGLISH_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER = `(${[...Object.keys(NUMBERS), ...ENGLISH_NUMBERS].join("|")}|\\d{1,2})`;
const valueOf = (word: string) => String(NUMBERS[word] ?? (ENGLISH_NUMBERS.indexOf(word) + 1 || Number(word)));

const WORDS: Readonly<Record<string, string>> = {
  kal: "tomorrow",
  aaj: "today",
  parso: "day after tomorrow",
  subah: "morning",
  dopahar: "afternoon",
  shaam: "evening",
  raat: "night",
  somvar: "monday",
  mangalvar: "tuesday",
  budhvar: "wednesday",
  guruvar: "thursday",
  shukravar: "friday",
  shanivar: "saturday",
  ravivar: "sunday",
  // Negated days are not offered.
  nahi: "not",
};

type Rewrite = readonly [said: RegExp, english: (number: string) => string];
const rewrite = (source: string, english: (number: string) => string): Rewrite => [
  new RegExp(` ${source}(?= )`, "g"),
  english,
];

const REWRITES: readonly Rewrite[] = [
  rewrite(`saadhe ${NUMBER} baje`, (hour) => ` half past ${hour}`),
  rewrite(`sava ${NUMBER} baje`, (hour) => ` quarter past ${hour}`),
  rewrite(`paune ${NUMBER} baje`, (hour) => ` quarter to ${hour}`),
  rewrite("dedh baje", () => " half past 1"),
  rewrite("dhai baje", () => " half past 2"),
  rewrite(`${NUMBER} baje se pehla`, (hour) => ` before ${hour} oclock`),
  rewrite(`${NUMBER} baje`, (hour) => ` ${hour} oclock`),
  rewrite("(?:aadhe|aadha) ghante(?: ke)?(?: baad| mein)", () => " in half an hour"),
  rewrite(`${NUMBER} ghante(?: ke)?(?: baad| mein)`, (count) => ` in ${count} hours`),
  rewrite(`${NUMBER} minute(?: ke)?(?: baad| mein)`, (count) => ` in ${count} minutes`),
  rewrite(`${NUMBER} din(?: ke)?(?: baad| mein)`, (count) => ` in ${count} days`),
  rewrite(`${NUMBER} hafte(?: ke)?(?: baad| mein)`, (count) => ` in ${count} weeks`),
  rewrite(`${NUMBER} mahine(?: ke)?(?: baad| mein)`, (count) => ` in ${count} months`),
  rewrite(`${NUMBER} tarikh`, (day) => ` the ${day}th`),
  rewrite("agle hafte", () => " next week"),
  rewrite("(?:is|iss) hafte", () => " this week"),
  rewrite("agle mahine", () => " next month"),
  rewrite("(?:is|iss) mahine", () => " this month"),
  rewrite("agle(?= (?:som|mangal|budh|guru|shukra|shani|ravi)var)", () => " next"),
  rewrite("pehla (?:wala|wali|wale)", () => " first one"),
  rewrite("dusra (?:wala|wali|wale)", () => " second one"),
  rewrite("teesra (?:wala|wali|wale)", () => " third one"),
  rewrite("(?:aakhri|akhri)(?: wala| wali)?", () => " last one"),
  rewrite("(?:koi bhi|kuch bhi)", () => " any"),
];

/** Expects the normalised spelling of spelling.ts. */
export function inEnglishDates(words: string): string {
  let text = words;
  for (const [said, english] of REWRITES) {
    text = text.replace(said, (_, number: unknown) => english(typeof number === "string" ? valueOf(number) : ""));
  }
  return text.replaceAll(/[a-z]+/g, (word) => WORDS[word] ?? word).replaceAll(/ (?:ko|ke)(?= )/g, "");
}
