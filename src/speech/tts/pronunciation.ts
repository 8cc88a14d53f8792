// Pronunciations of an organisation: words are marked in the text with how they sound, `{Sharma|SHAR-ma}`, and the mark
// goes to the voice.

export interface Pronunciation {
  /** One word as written; case-insensitive. */
  word: string;
  /** In the notation of respelling.ts. */
  said: string;
}

export const LONGEST_WORD = 60;

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;

export function isOneWord(text: string): boolean {
  return text.length <= LONGEST_WORD && text.replace(WORD, "") === "" && text !== "";
}

/** Removed from the text, which must not contain marks of its own. */
const MARKS = /[{}|]/g;

/** A marked word; the first group is the word, the second its pronunciation. */
export const MARKED = /\{([^{}|]*)\|([^{}|]*)\}/g;

export type Mark = (text: string) => string;

/** Created once per call. */
export function createMark(pronunciations: readonly Pronunciation[]): Mark {
  const said = new Map(pronunciations.map(({ word, said }) => [wordKeyOf(word), said]));
  return (text) => {
    const plain = text.replaceAll(MARKS, " ");
    if (said.size === 0) return plain;
    return plain.replaceAll(WORD, (word) => marked(word, said));
  };
}

/** Matches the whole word, the word without its possessive, or its parts around hyphens and apostrophes. */
function marked(word: string, said: ReadonlyMap<string, string>): string {
  const whole = said.get(wordKeyOf(word));
  if (whole !== undefined) return mark(word, whole);
  return word
    .split(/(['’-])/)
    .map((part) => {
      const own = said.get(wordKeyOf(part));
      return own === undefined ? part : mark(part, own);
    })
    .join("");
}

/** Without spaces, so that clause splitting never cuts it. */
function mark(word: string, said: string): string {
  return `{${word}|${said.trim().replaceAll(/\s+/g, "_")}}`;
}

/** The text without marks. */
export function unmarked(text: string): string {
  return text.replaceAll(MARKED, "$1");
}

/** Lookup key, independent of case. */
export function wordKeyOf(word: string): string {
  return word.trim().normalize("NFC").toLowerCase().replaceAll("’", "'");
}
