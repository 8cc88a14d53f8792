// Every word of the interface, in the language of whoever looks: `said.calls.newCall.title`. Another language is a file
// beside words/hi.ts, and a line in LANGUAGES. English comes with the page, every other language is loaded by those who
// read it.
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
