// What a language model is asked about, and what comes after its words: our own question, whose answer counts.
import type { Meaning } from "../understanding/meaning.ts";
import { countAsking, toPerson, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";
import { putAgain, putQuestion } from "./questions.ts";

/** Plain answers are answered at once, by rule. Before it is known who speaks, no model is asked anything. */
export function isForModel(
  { isContact, question, isAfterModel }: TalkState,
  { text }: Meaning,
  move: TalkMove | null,
): boolean {
  if (isContact !== true) return false;
  // "Is there anything else?" "No." is an end that no model talks anybody out of.
  const isOver = !isAfterModel && move?.state.stage === "telling";
  if (move === null || (question === "open" && !isOver)) return true;
  return move.state.question === "doubt" && text.trim().endsWith("?");
}

/** What somebody agrees to while a model speaks, nobody knows. */
export const isUnasked = ({ isAfterModel, question }: TalkState) => isAfterModel && question !== "open";

export function askAfterModel(state: TalkState, context: TalkContext): TalkMove {
  const { expecting, keys } = putQuestion(state, context.call, context.phrases);
  const again = putAgain(state, context);
  const counted = countAsking(state, again);
  if (!counted) return toPerson(state, context);
  const phrases = counted.isLast && keys ? [...again, keys] : again;
  return { state: { ...state, askings: counted.askings, lead: [] }, action: { do: "say", phrases, expecting } };
}
