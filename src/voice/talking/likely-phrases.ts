// What the agent will say next, if the callee says what callees say: made ready while they listen or speak, so that
// nobody waits for the voice. The table is pure, so it may be asked without anything happening.
import { NO_KEY, YES_KEY } from "../conversation/keys.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { TalkAction, TalkEvent, TalkState } from "../conversation/model.ts";
import type { Phrase } from "../conversation/phrases/phrase.ts";
import type { Intent, Meaning } from "../understanding/meaning.ts";
import type { FoundAppointment } from "./errands.ts";

/** The two that most calls are made of. */
const LIKELY_ANSWERS: readonly Intent[] = ["yes", "no"];
const LIKELY_KEYS = [YES_KEY, NO_KEY] as const;

const saying = (intent: Intent): Meaning => ({
  text: intent,
  intents: [{ intent, confidence: 1 }],
  choice: null,
  moment: null,
});

/** Whatever they answer to what is being said or asked now. */
export function likelyPhrases(state: TalkState, context: TalkContext, appointment: FoundAppointment): Phrase[] {
  const asked: TalkState = state.stage === "asking" ? { ...state, stage: "listening" } : state;
  const found = state.work === "lookUp" && state.stage === "working" && usualAnswer({ do: "lookUp" }, appointment);
  if (found) return [...phrasesOf(state, found, context, appointment)];
  const answers: readonly TalkEvent[] = context.call.byKeys
    ? LIKELY_KEYS.map((key) => ({ type: "key", key }))
    : LIKELY_ANSWERS.map((intent) => ({ type: "heard", meaning: saying(intent) }));
  return answers.flatMap((answer) => phrasesOf(asked, answer, context, appointment));
}

/** What follows these words. */
export const phrasesAfter = (
  state: TalkState,
  meaning: Meaning,
  context: TalkContext,
  appointment: FoundAppointment,
): readonly Phrase[] => phrasesOf(state, { type: "heard", meaning }, context, appointment);

/** What follows this answer, and the calendar's usual one where it is asked first. */
function phrasesOf(
  state: TalkState,
  answered: TalkEvent,
  context: TalkContext,
  appointment: FoundAppointment,
): readonly Phrase[] {
  const allTold: TalkContext = { ...context, told: { isTold: () => true } };
  const move = nextTalkMove(state, answered, allTold);
  if (move.action?.do === "say" || move.action?.do === "lead") return move.action.phrases;
  const answer = move.action && usualAnswer(move.action, appointment);
  const next = answer && nextTalkMove(move.state, answer, allTold).action;
  return next?.do === "say" || next?.do === "lead" ? next.phrases : [];
}

/** Null where nobody can know. */
function usualAnswer({ do: what }: TalkAction, appointment: FoundAppointment): TalkEvent | null {
  if (what === "lookUp") return appointment === "unknown" ? null : { type: "lookedUp", appointment };
  if (what === "confirm") return { type: "confirmed", isDone: true };
  if (what === "cancel") return { type: "cancelled", isDone: true };
  if (what === "wait") return { type: "waited", isDone: true };
  if (what === "decline") return { type: "placeDeclined", isDone: true };
  return what === "requestChange" ? { type: "changeRequested", isDone: true } : null;
}
