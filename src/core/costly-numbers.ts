// Premium-rate and other expensive number ranges. They are refused unless the settings allow their range: a contact
// list with a few such numbers is a common form of toll fraud.

export type CostlyKind = "premium" | "satellite" | "personal" | "abroad";

interface Range {
  kind: CostlyKind;
  numbers: RegExp;
}

/**
 * Numbering plans: NANPA (area codes, and the 976 exchange of each), India's national numbering plan, ITU-T E.164.
 * India's paid series are longer than ordinary numbers, whose area codes may have the same prefix (0186 is Pathankot).
 * Five hundreds in exchange 555 are fictional.
 */
const RANGES: readonly Range[] = [
  { kind: "premium", numbers: /^\+1(?:900|976)/ },
  { kind: "premium", numbers: /^\+1[2-9]\d\d976/ },
  // Services sold by long-distance carriers.
  { kind: "premium", numbers: /^\+1700/ },
  { kind: "premium", numbers: /^\+91(?:186[0-2]|19\d\d)\d{7,9}$/ },
  // International shared-cost and premium-rate services.
  { kind: "premium", numbers: /^\+(?:808|979)/ },
  { kind: "personal", numbers: /^\+1(?:5(?:00|2[1-9]|3[23]|44|66|77|88))(?!555)/ },
  { kind: "personal", numbers: /^\+878/ },
  // Canada assigns these to satellite telephones, among others.
  { kind: "satellite", numbers: /^\+16(?:00|22|33|44|55|77|88)/ },
  { kind: "satellite", numbers: /^\+(?:870|88[1-3])/ },
  // Island countries that share +1 and are billed as international. Puerto Rico, the US Virgin Islands, Guam, Samoa and
  // the Marianas are US.
  {
    kind: "abroad",
    numbers: /^\+1(?:242|246|264|268|284|345|441|473|649|658|664|721|758|767|784|8[024]9|868|869|876)/,
  },
];

/** Null for an ordinary number, and for one that begins with an allowed range, e.g. `+1876`. */
export function costlyKind(number: string, allowedRanges: readonly string[]): CostlyKind | null {
  const range = RANGES.find(({ numbers }) => numbers.test(number));
  return range && !allowedRanges.some((allowed) => number.startsWith(allowed)) ? range.kind : null;
}

const WORDS: Readonly<Record<CostlyKind, string>> = {
  premium: "in a premium-rate or paid-service range",
  satellite: "in a range of satellite telephones",
  personal: "in a range of personal numbers, whose calls cost what their owner's company asks",
  abroad: "of a country outside the United States and Canada, though it begins with +1",
};

/** Follows "The number is" or a field name. Never contains the number itself. */
export function costlyWords(kind: CostlyKind): string {
  return `${WORDS[kind]}, and such numbers are not called. Whoever runs this appliance can allow a range with calls.allowed_ranges.`;
}
