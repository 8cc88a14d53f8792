// Spoken Hindi numbers. Each number below 100 has its own word; larger ones are counted in hundreds, thousands, lakhs
// and crores.

const BELOW_HUNDRED = [
  "शून्य एक दो तीन चार पाँच छह सात आठ नौ",
  "दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस",
  "बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस",
  "तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस",
  "चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास",
  "पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ",
  "साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर",
  "सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी",
  "अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी",
  "नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे",
].flatMap((ten) => ten.split(" "));

const UNITS: readonly (readonly [size: number, word: string])[] = [
  [10_000_000, "करोड़"],
  [100_000, "लाख"],
  [1_000, "हज़ार"],
  [100, "सौ"],
];

/** Larger numbers are identifiers and are read digit by digit. */
const LARGEST = 999_999_999;
/** Only years of these centuries are counted in hundreds: उन्नीस सौ सैंतालीस. */
const HUNDREDS_CENTURY = [1_100, 1_999] as const;

export function cardinal(value: number): string {
  if (!Number.isInteger(value) || value < 0 || value > LARGEST) return digitByDigit(String(value));
  const known = BELOW_HUNDRED[value];
  if (known !== undefined) return known;
  const [size, word] = UNITS.find(([unit]) => value >= unit) ?? [1, ""];
  const rest = value % size;
  return `${cardinal(Math.floor(value / size))} ${word}${rest === 0 ? "" : ` ${cardinal(rest)}`}`;
}

export function year(value: number): string {
  const [from, to] = HUNDREDS_CENTURY;
  if (value < from || value > to) return cardinal(value);
  const rest = value % 100;
  return `${cardinal(Math.floor(value / 100))} सौ${rest === 0 ? "" : ` ${cardinal(rest)}`}`;
}

/** "98.6": the digits after the point are read one by one. */
export function decimal(whole: string, fraction: string): string {
  return `${cardinal(Number(whole))} दशमलव ${digitByDigit(fraction)}`;
}

export function digitByDigit(digits: string): string {
  return digits
    .replaceAll(/\D/g, "")
    .split("")
    .map((digit) => BELOW_HUNDRED[Number(digit)] ?? "")
    .join(" ");
}
