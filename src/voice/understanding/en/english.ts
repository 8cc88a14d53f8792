// Rules for English on the telephone, in India and elsewhere.
import type { Language } from "../language.ts";
import { ALARM_RULES } from "./alarms.ts";
import { ANSWER_RULES, CANCEL_RULES } from "./answers.ts";
import { HEDGES } from "./hedges.ts";
import { IDENTITY_RULES, NAME_RULE } from "./identity.ts";
import { MACHINE_RULES } from "./machines.ts";
import { NOTICE_RULES } from "./notices.ts";
import { NOT_MEANT } from "./not-meant.ts";
import { REQUEST_RULES, WANTS_TO_SPEAK } from "./requests.ts";

const QUESTION =
  /^ (?:(?:how|what|when|where|which|who)|(?:does|is|are|did|can|could|would|will|should|shall|may|was|were) (?:it|that|this|you|i|we|they|he|she|there|the|my|your|a)|(?:do|have) (?:you|i|we|they))(?= )/;

export const ENGLISH: Language = {
  rules: [
    ...ALARM_RULES,
    ...MACHINE_RULES,
    ...NOTICE_RULES,
    ...IDENTITY_RULES,
    ...CANCEL_RULES,
    ...REQUEST_RULES,
    ...ANSWER_RULES,
    WANTS_TO_SPEAK,
    NAME_RULE,
  ],
  question: QUESTION,
  notMeant: NOT_MEANT,
  hedges: HEDGES,
  respelt: (words) => words,
  inEnglishDates: (words) => words,
};
