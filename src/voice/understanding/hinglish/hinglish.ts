// Rules for Hindi mixed with English on the telephone, in Latin letters or Devanagari.
import type { Language } from "../language.ts";
import { inEnglishDates } from "./dates.ts";
import { HEDGES } from "./hedges.ts";
import { HINGLISH_RULES } from "./intents.ts";
import { NOT_MEANT } from "./not-meant.ts";
import { respelt } from "./spelling.ts";

export const HINGLISH: Language = {
  rules: HINGLISH_RULES,
  question: null,
  notMeant: NOT_MEANT,
  hedges: HEDGES,
  respelt,
  inEnglishDates,
};
