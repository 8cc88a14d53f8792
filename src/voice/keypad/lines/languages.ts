// Which words the keypad agent has for a language.
import { languageNamed, type Language } from "../../../speech/languages.ts";
import type { KeypadWords } from "../words.ts";
import { english } from "./en.ts";
import { hindi } from "./hi.ts";

const WORDS: Readonly<Record<Language, KeypadWords>> = { en: english, hi: hindi };

/** English where there are none: recordings speak for it, and the transcript is the staff's. */
export function keypadWordsIn(language: string): KeypadWords {
  return WORDS[languageNamed(language) ?? "en"];
}
