// Decides which turns go to a language model, and asks our own question after the model has spoken. Only an answer to
// our own question counts.
import type { Meaning } from "../understanding/meaning.ts";
import { countAsking, toPerson, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";
import { putAgain, putQuestion } from "./questions.ts";

/** Rules handle clear answers without the model. The model gets no turn before the callee is identified. */
export function isForModel(
  { isContact, question, isAfterModel }: TalkState,
  { text }: Meaning,
  move: TalkMove | null,
): boolean {
  if (isContact !== true) return false;
  // "Is there anything else?" "No." ends the call; the model must not prolong it.
  const isOver = !isAfterModel && move?.state.stage === "telling";
  if (move === null || (question === "open" && !isOver)) return true;
  return move.state.question === "doubt" && text.trim().endsWith("?");
}

/** A yes given while a model speaks is ambiguous. */
export const isUnasked = ({ isAfterModel, question }: TalkState) => isAfterModel && question !== "open";

export function askAfterModel(state: TalkState, context: TalkContext): TalkMove {
  const { expecting, keys } = putQuestion(state, context.call, context.phrases);
  const again = putAgain(state, context);
  const counted = countAsking(state, again);
  if (!counted) return toPerson(state, context);
  const phrases = counted.isLast && keys ? [...again, keys] : again;
  return { state: { ...state, askings: counted.askings, lead: [] }, action: { do: "say", phrases, expecting } };
}
