// A Hindi clause as Kokoro hears it: Devanagari by its own rules, words in Latin letters in English, and the stops.
import type { Sounds } from "./dictionary.ts";
import { phonemesOf } from "./phonemes.ts";
import { readHindi } from "../hindi/reading.ts";
import { hindiSounds } from "../hindi/word-sounds.ts";

interface EnglishWords {
  isKnown(word: string): boolean;
  of(word: string): Sounds;
}

/** Marked words and those in Latin letters, as many as follow each other; a Devanagari word; a stop. */
const TOKENS =
  /((?:\{[^{}|]*\|[^{}|]*\}|[A-Za-z][A-Za-z']*)(?:\s+(?:\{[^{}|]*\|[^{}|]*\}|[A-Za-z][A-Za-z']*))*)|([\u0900-\u0963\u0971-\u097F]+)|([.,!?;:])/g;

/** "" where there is nothing in it that can be said. */
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
