// An approved answer, written by an agent's owner: spoken verbatim when a language model chooses it.
import { Type, type Static } from "@sinclair/typebox";

/** `chosen`: only our phrases and the owner's answers. `free`: also the model's own words, within the guard. */
export const MODEL_SPEECHES = ["chosen", "free"] as const;
export type ModelSpeech = (typeof MODEL_SPEECHES)[number];

export const MOST_ANSWERS = 30;
export const LONGEST_QUESTION = 200;
/** About half a minute of speech. */
export const LONGEST_ANSWER = 500;

export const ApprovedAnswerSchema = Type.Object({
  question: Type.String({ maxLength: LONGEST_QUESTION, description: "What callees ask, such as Where do I park?" }),
  answer: Type.String({ maxLength: LONGEST_ANSWER, description: "What they hear, word for word." }),
  language: Type.String({
    maxLength: 20,
    description: "Language tag of the answer. Empty: the agent's language.",
  }),
});
export type ApprovedAnswer = Static<typeof ApprovedAnswerSchema>;
