// Phrases a language model may choose, and when each applies. None of them agrees to or claims anything.
import type { Phrases } from "../conversation/phrases/phrases.ts";
import type { TalkCall } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { Standing } from "./standing.ts";

interface Choosable {
  when: string;
  phrase: (phrases: Phrases, call: TalkCall, standing: Standing) => Phrase;
}

const CHOOSABLE = {
  who_is_calling: {
    when: "They ask who is calling, or whether you are a machine.",
    phrase: (phrases, call) => phrases.whoIsCalling(call),
  },
  purpose: {
    when: "They ask what the call is about.",
    phrase: (phrases, call, { appointment }) => {
      if (appointment) return phrases.purposeOfAppointment;
      return call.canBook ? phrases.purposeOfBooking : phrases.purposeUnknown;
    },
  },
  cannot_answer: {
    when: "They ask something that none of the hospital's answers answers.",
    phrase: (phrases) => phrases.cannotAnswer,
  },
  no_medical_advice: {
    when: "They ask about an illness, a result, a medicine, a dose or a treatment.",
    phrase: (phrases) => phrases.noAdvice,
  },
  sorry_to_hear: {
    when: "They tell of something sad. Not where they tell of an illness and ask for help.",
    phrase: (phrases) => phrases.sorryToHear,
  },
  you_are_welcome: { when: "They say thank you.", phrase: (phrases) => phrases.welcome },
  noted: { when: "They tell something that the hospital should know.", phrase: (phrases) => phrases.noted },
  not_understood: { when: "What they said makes no sense.", phrase: (phrases) => phrases.notUnderstood },
} as const satisfies Record<string, Choosable>;

export type PhraseName = keyof typeof CHOOSABLE;

export const PHRASE_NAMES = Object.keys(CHOOSABLE) as PhraseName[];

export type SpokenPhrases = Readonly<Record<PhraseName, Phrase>>;

export function phrasesFor(phrases: Phrases, call: TalkCall, standing: Standing): SpokenPhrases {
  const spoken = PHRASE_NAMES.map(
    (name) => [name, (CHOOSABLE[name] as Choosable).phrase(phrases, call, standing)] as const,
  );
  return Object.fromEntries(spoken) as Record<PhraseName, Phrase>;
}

/** List for the prompt, one phrase per row. */
export const phraseList = (): string => PHRASE_NAMES.map((name) => `- ${name}: ${CHOOSABLE[name].when}`).join("\n");
