// Predicts the agent's next phrases from likely answers, so that they are synthesised while the callee listens or
// speaks. The state table is pure, so evaluating it has no effect.
import { NO_KEY, YES_KEY } from "../conversation/keys.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { TalkAction, TalkEvent, TalkState } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { Intent, Meaning } from "../understanding/meaning.ts";
import type { FoundAppointment } from "./errands.ts";

/** The most frequent answers. */
const LIKELY_ANSWERS: readonly Intent[] = ["yes", "no"];
const LIKELY_KEYS = [YES_KEY, NO_KEY] as const;

const saying = (intent: Intent): Meaning => ({
  text: intent,
  intents: [{ intent, confidence: 1 }],
  choice: null,
  moment: null,
});

/** Phrases after each likely answer to the current question. */
export function likelyPhrases(state: TalkState, context: TalkContext, appointment: FoundAppointment): Phrase[] {
  const asked: TalkState = state.stage === "asking" ? { ...state, stage: "listening" } : state;
  const found = state.work === "lookUp" && state.stage === "working" && usualAnswer({ do: "lookUp" }, appointment);
  if (found) return [...phrasesOf(state, found, context, appointment)];
  const answers: readonly TalkEvent[] = context.call.byKeys
    ? LIKELY_KEYS.map((key) => ({ type: "key", key }))
    : LIKELY_ANSWERS.map((intent) => ({ type: "heard", meaning: saying(intent) }));
  return answers.flatMap((answer) => phrasesOf(asked, answer, context, appointment));
}

/** Phrases after these words. */
export const phrasesAfter = (
  state: TalkState,
  meaning: Meaning,
  context: TalkContext,
  appointment: FoundAppointment,
): readonly Phrase[] => phrasesOf(state, { type: "heard", meaning }, context, appointment);

/** Phrases after this answer, assuming the calendar's usual reply if it is asked first. */
function phrasesOf(
  state: TalkState,
  answered: TalkEvent,
  context: TalkContext,
  appointment: FoundAppointment,
): readonly Phrase[] {
  const allTold: TalkContext = { ...context, told: { ...context.told, isTold: () => true } };
  const move = nextTalkMove(state, answered, allTold);
  if (move.action?.do === "say" || move.action?.do === "lead") return move.action.phrases;
  const answer = move.action && usualAnswer(move.action, appointment);
  const next = answer && nextTalkMove(move.state, answer, allTold).action;
  return next?.do === "say" || next?.do === "lead" ? next.phrases : [];
}

/** Null if it cannot be predicted. */
function usualAnswer({ do: what }: TalkAction, appointment: FoundAppointment): TalkEvent | null {
  if (what === "lookUp") return appointment === "unknown" ? null : { type: "lookedUp", appointment };
  if (what === "confirm") return { type: "confirmed", isDone: true };
  if (what === "cancel") return { type: "cancelled", isDone: true };
  if (what === "wait") return { type: "waited", isDone: true };
  if (what === "decline") return { type: "placeDeclined", isDone: true };
  return what === "requestChange" ? { type: "changeRequested", isDone: true } : null;
}
