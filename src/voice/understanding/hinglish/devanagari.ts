// Transliterates Devanagari to the Latin letters in which Hindi is commonly typed, so that the same rules read both:
// "चलेगा" → "chalega".

const CONSONANTS = new Map(
  Object.entries({
    क: "k",
    ख: "kh",
    ग: "g",
    घ: "gh",
    ङ: "n",
    च: "ch",
    छ: "chh",
    ज: "j",
    झ: "jh",
    ञ: "n",
    ट: "t",
    ठ: "th",
    ड: "d",
    ढ: "dh",
    ण: "n",
    त: "t",
    थ: "th",
    द: "d",
    ध: "dh",
    न: "n",
    प: "p",
    फ: "ph",
    ब: "b",
    भ: "bh",
    म: "m",
    य: "y",
    र: "r",
    ल: "l",
    व: "v",
    श: "sh",
    ष: "sh",
    स: "s",
    ह: "h",
  }),
);
/** Independent form, and the sign after a consonant. */
const VOWELS = new Map(
  Object.entries({
    अ: "a",
    आ: "aa",
    इ: "i",
    ई: "ee",
    उ: "u",
    ऊ: "u",
    ऋ: "ri",
    ए: "e",
    ऐ: "ai",
    ओ: "o",
    औ: "au",
    ऑ: "o",
  }),
);
const SIGNS = new Map(
  Object.entries({
    "ा": "aa",
    "ि": "i",
    "ी": "i",
    "ु": "u",
    "ू": "u",
    "ृ": "ri",
    "े": "e",
    "ै": "ai",
    "ो": "o",
    "ौ": "au",
    "ॉ": "o",
    "्": "",
  }),
);
const NASALS = new Set(["ं", "ँ"]);
const NUKTA = "़";

/** Other scripts pass through unchanged. */
export function inLatin(word: string): string {
  const letters = Array.from(word.normalize("NFD")).filter((letter) => letter !== NUKTA);
  let latin = "";
  for (const [i, letter] of letters.entries()) {
    const next = letters[i + 1];
    const consonant = CONSONANTS.get(letter);
    if (consonant !== undefined) {
      latin += consonant;
      // A consonant without a vowel sign is followed by "a", except at the end of a word.
      if (next !== undefined && !SIGNS.has(next)) latin += "a";
    } else if (NASALS.has(letter)) {
      latin += "n";
    } else {
      latin += VOWELS.get(letter) ?? SIGNS.get(letter) ?? letter;
    }
  }
  // A final long a is commonly typed with one letter.
  return latin.replace(/(?<=[a-z]{2})aa$/, "a");
}
