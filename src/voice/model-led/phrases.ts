// Phrases of ours that a language model may choose, and when each fits. None of them agrees to anything or claims
// anything.
import type { Lines } from "../conversation/lines/lines.ts";
import type { TalkCall } from "../conversation/model.ts";
import type { SpokenLine } from "../conversation/lines/spoken-line.ts";
import type { Standing } from "./standing.ts";

interface Phrase {
  when: string;
  line: (lines: Lines, call: TalkCall, standing: Standing) => SpokenLine;
}

const PHRASES = {
  who_is_calling: {
    when: "They ask who is calling, or whether you are a machine.",
    line: (lines, call) => lines.whoIsCalling(call),
  },
  purpose: {
    when: "They ask what the call is about.",
    line: (lines, call, { appointment }) => {
      if (appointment) return lines.purposeOfAppointment;
      return call.canBook ? lines.purposeOfBooking : lines.purposeUnknown;
    },
  },
  cannot_answer: {
    when: "They ask something that none of the hospital's answers answers.",
    line: (lines) => lines.cannotAnswer,
  },
  no_medical_advice: {
    when: "They ask about an illness, a result, a medicine, a dose or a treatment.",
    line: (lines) => lines.noAdvice,
  },
  sorry_to_hear: {
    when: "They tell of something sad. Not where they tell of an illness and ask for help.",
    line: (lines) => lines.sorryToHear,
  },
  you_are_welcome: { when: "They say thank you.", line: (lines) => lines.welcome },
  noted: { when: "They tell something that the hospital should know.", line: (lines) => lines.noted },
  not_understood: { when: "What they said makes no sense.", line: (lines) => lines.notUnderstood },
} as const satisfies Record<string, Phrase>;

export type PhraseName = keyof typeof PHRASES;

export const PHRASE_NAMES = Object.keys(PHRASES) as PhraseName[];

export type SpokenPhrases = Readonly<Record<PhraseName, SpokenLine>>;

export function phrasesFor(lines: Lines, call: TalkCall, standing: Standing): SpokenPhrases {
  const spoken = PHRASE_NAMES.map((name) => [name, (PHRASES[name] as Phrase).line(lines, call, standing)] as const);
  return Object.fromEntries(spoken) as Record<PhraseName, SpokenLine>;
}

/** One line for each, as a model is told. */
export const phraseList = (): string => PHRASE_NAMES.map((name) => `- ${name}: ${PHRASES[name].when}`).join("\n");
