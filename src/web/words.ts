// All texts of the interface, in the user's language: `said.calls.newCall.title`. To add a language, add a file beside
// words/hi.ts and a line in LANGUAGES. English is part of the page; other languages are loaded on demand.
import { en } from "./words/en.ts";
import { bestOf, speak, wantedLanguages } from "./language.ts";
import type { Words } from "./words/translated.ts";

const LANGUAGES: Readonly<Record<string, () => Promise<Words>>> = {
  en: async () => en,
  hi: async () => (await import("./words/hi.ts")).hi,
};

export const spokenLanguages = Object.keys(LANGUAGES);

const language = bestOf(wantedLanguages(), spokenLanguages);
speak(language);

export const said: Words = (await LANGUAGES[language]?.()) ?? en;

export const { common, navigation, callStates, holdReasons, deliveryStates, appointmentStates, dispositions } =
  said.shared;
