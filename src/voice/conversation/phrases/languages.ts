// Phrases of the agent by language.
import { languageNamed, type Language } from "../../../speech/languages.ts";
import { english } from "./en.ts";
import { hindi } from "./hi.ts";
import type { Phrases } from "./phrases.ts";

const PHRASES: Readonly<Record<Language, Phrases>> = { en: english, hi: hindi };

/** Falls back to English. */
export function phrasesIn(language: string): Phrases {
  return PHRASES[languageNamed(language) ?? "en"];
}
