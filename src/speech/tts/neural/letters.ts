// Alphabet of Kokoro's networks: each phoneme letter has a number.

/** Numbers of the letters used by our languages. */
const NUMBERS: Readonly<Record<string, number>> = {
  ";": 1,
  ":": 2,
  ",": 3,
  ".": 4,
  "!": 5,
  "?": 6,
  " ": 16,
  A: 24,
  I: 25,
  O: 31,
  T: 36,
  W: 39,
  Y: 41,
  b: 44,
  d: 46,
  f: 48,
  h: 50,
  i: 51,
  j: 52,
  k: 53,
  l: 54,
  m: 55,
  n: 56,
  p: 58,
  s: 61,
  t: 62,
  u: 63,
  v: 64,
  w: 65,
  z: 68,
  ɑ: 69,
  æ: 72,
  ɔ: 76,
  ð: 81,
  ʤ: 82,
  ə: 83,
  ɛ: 86,
  ɜ: 87,
  ɡ: 92,
  ɪ: 102,
  ŋ: 112,
  θ: 119,
  ɹ: 123,
  ʃ: 131,
  ʧ: 133,
  ʊ: 135,
  ʌ: 138,
  ʒ: 147,
  ˈ: 156,
  ˌ: 157,
  a: 43,
  c: 45,
  e: 47,
  o: 57,
  x: 66,
  ɖ: 80,
  ɟ: 90,
  ɣ: 139,
  ɲ: 114,
  ɳ: 113,
  ɽ: 129,
  ɾ: 125,
  ʂ: 130,
  ʈ: 132,
  ʋ: 136,
  ː: 158,
  ʰ: 162,
  "\u0303": 17,
};

/** Twenty seconds of speech. The network accepts 510, but blocks its thread for longer. */
const MOST_NUMBERS = 300;
/** The space; punctuation marks come before it. */
const LAST_SIGN = 16;

/**
 * Input numbers, split at word boundaries into parts short enough for the network. Empty if there is nothing to speak.
 */
export function numbersOf(phonemes: string): number[][] {
  const parts: number[][] = [];
  for (const word of phonemes.split(/(?= )/)) {
    const numbers = word
      .split("")
      .flatMap((letter) => NUMBERS[letter] ?? [])
      .slice(0, MOST_NUMBERS);
    const last = parts.at(-1);
    if (last && last.length + numbers.length <= MOST_NUMBERS) last.push(...numbers);
    else if (numbers.length > 0) parts.push(numbers);
  }
  return parts.filter((part) => part.some((number) => number > LAST_SIGN));
}
