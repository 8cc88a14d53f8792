// Numbers said digit by digit ("nine eight double three") and names spelt letter by letter ("S for sugar, H, A").

const DIGITS: Readonly<Record<string, string>> = {
  zero: "0",
  oh: "0",
  o: "0",
  nought: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
};
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3, treble: 3 };
/** What stands around a number without being part of it. */
const BESIDE_DIGITS = /^(?:my|number|is|it|its|it's|the|phone|mobile|plus|and|um|uh|yes|okay|then|so|please|that|was)$/;

const LETTER_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu"
    .split(" ")
    .map((word) => [word, word.charAt(0)]),
);
const BESIDE_LETTERS =
  /^(?:my|name|is|it|it's|spelt|spelled|with|and|um|uh|yes|okay|then|capital|small|letter|that's|please)$/;

/** No telephone number, reference or name is longer. */
const MAX_CHARS = 400;

const wordsIn = (text: string) =>
  text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .match(/[a-z']+|\d+/g) ?? [];

/** Null where anything but digits was said, so that a sentence with a "one" in it is no number. */
export function spokenDigits(text: string): string | null {
  const words = wordsIn(text);
  let digits = "";
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const times = TIMES[word];
    const digit = digitsIn(times === undefined ? word : (words[++index] ?? ""), words[index + 1]);
    if (digit) {
      digits += digit.digits.repeat(times ?? 1);
      index += digit.used - 1;
    } else if (times !== undefined || !BESIDE_DIGITS.test(word)) return null;
  }
  return digits === "" ? null : digits;
}

function digitsIn(word: string, next = ""): { digits: string; used: number } | null {
  if (/^\d+$/.test(word)) return { digits: word, used: 1 };
  const digit = DIGITS[word];
  if (digit !== undefined) return { digits: digit, used: 1 };
  const teen = TEENS.indexOf(word);
  if (teen >= 0) return { digits: String(teen + 10), used: 1 };
  const ten = TENS.indexOf(word);
  if (ten < 0) return null;
  const unit = DIGITS[next];
  return unit === undefined || unit === "0"
    ? { digits: `${ten + 2}0`, used: 1 }
    : { digits: `${ten + 2}${unit}`, used: 2 };
}

/** In capitals; null where it is no spelling, or of fewer than two letters. */
export function speltLetters(text: string): string | null {
  const words = wordsIn(text);
  let letters = "";
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const times = TIMES[word];
    const letter = letterOf(times === undefined ? word : (words[++index] ?? ""));
    if (letter !== null) {
      letters += letter.repeat(times ?? 1);
      index += exampleLength(words, index + 1);
    } else if (times !== undefined || !BESIDE_LETTERS.test(word)) return null;
  }
  return letters.length < 2 ? null : letters.toUpperCase();
}

const letterOf = (word: string) => (/^[a-z]$/.test(word) ? word : (LETTER_WORDS[word] ?? null));

/** "for sugar", "as in sugar", "like sugar": how many words of it follow. */
function exampleLength(words: readonly string[], at: number): number {
  const joiner =
    words[at] === "as" && words[at + 1] === "in" ? 2 : /^(?:for|like|from|of)$/.test(words[at] ?? "") ? 1 : 0;
  const example = words[at + joiner] ?? "";
  return joiner > 0 && example.length > 1 ? joiner + 1 : 0;
}
