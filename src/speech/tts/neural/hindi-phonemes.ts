// Phonemes of a Hindi clause for Kokoro: Devanagari by its own rules, Latin words in English, and punctuation.
import type { Sounds } from "./dictionary.ts";
import { phonemesOf } from "./phonemes.ts";
import { readHindi } from "../hindi/reading.ts";
import { hindiSounds } from "../hindi/word-sounds.ts";

interface EnglishWords {
  isKnown(word: string): boolean;
  of(word: string): Sounds;
}

/** A run of marked or Latin words; a Devanagari word; a punctuation mark. */
const TOKENS =
  /((?:\{[^{}|]*\|[^{}|]*\}|[A-Za-z][A-Za-z']*)(?:\s+(?:\{[^{}|]*\|[^{}|]*\}|[A-Za-z][A-Za-z']*))*)|([\u0900-\u0963\u0971-\u097F]+)|([.,!?;:])/g;

/** Empty if the clause contains nothing pronounceable. */
export function hindiPhonemes(clause: string, english: EnglishWords): string {
  return [...readHindi(clause).matchAll(TOKENS)]
    .map(([, latin, devanagari, stop]) => {
      if (stop !== undefined) return stop;
      const said = latin === undefined ? hindiSounds(devanagari ?? "") : phonemesOf(latin, english);
      return said === null || said === "" ? "" : ` ${said}`;
    })
    .join("")
    .trim();
}
