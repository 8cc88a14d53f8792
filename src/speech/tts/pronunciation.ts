// Words that an organisation wants said in its own way: each is marked in the text with how it sounds, `{Sharma|SHAR-ma}`,
// and the mark goes with it to the voice.

export interface Pronunciation {
  /** One word, as it is written; capitals do not matter. */
  word: string;
  /** As respelling.ts reads it. */
  said: string;
}

export const LONGEST_WORD = 60;

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;

export function isOneWord(text: string): boolean {
  return text.length <= LONGEST_WORD && text.replace(WORD, "") === "" && text !== "";
}

/** Nothing of these may come from the text itself. */
const MARKS = /[{}|]/g;

/** A marked word; the first group is the word, the second how it is said. */
export const MARKED = /\{([^{}|]*)\|([^{}|]*)\}/g;

export type Mark = (text: string) => string;

/** Made once for a call. */
export function createMark(pronunciations: readonly Pronunciation[]): Mark {
  const said = new Map(pronunciations.map(({ word, said }) => [wordKeyOf(word), said]));
  return (text) => {
    const plain = text.replaceAll(MARKS, " ");
    if (said.size === 0) return plain;
    return plain.replaceAll(WORD, (word) => marked(word, said));
  };
}

/** The whole word, without its possessive, or each part of it that a hyphen or an apostrophe divides. */
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

/** Without spaces, so that no cut falls into it. */
function mark(word: string, said: string): string {
  return `{${word}|${said.trim().replaceAll(/\s+/g, "_")}}`;
}

/** The text as it would be read without the marks. */
export function unmarked(text: string): string {
  return text.replaceAll(MARKED, "$1");
}

/** By which it is found, whatever its capitals. */
export function wordKeyOf(word: string): string {
  return word.trim().normalize("NFC").toLowerCase().replaceAll("’", "'");
}
