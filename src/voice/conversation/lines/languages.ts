// Which lines the talking agent has for a language.
import { languageNamed, type Language } from "../../../speech/languages.ts";
import { english } from "./en.ts";
import { hindi } from "./hi.ts";
import type { Lines } from "./lines.ts";

const LINES: Readonly<Record<Language, Lines>> = { en: english, hi: hindi };

/** English where there are none. */
export function linesIn(language: string): Lines {
  return LINES[languageNamed(language) ?? "en"];
}
