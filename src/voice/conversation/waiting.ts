// Waiting-list moves: joining the list, and offering a place that opened.
import type { Phrase } from "./phrase.ts";
import { aPersonFindsIt, askNext, notSaved, settle, tell, work, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";

/** Offers the reserved place. */
export function offerPlace(state: TalkState, context: TalkContext): TalkMove {
  const [chosen] = state.offers;
  return chosen
    ? askNext({ ...state, chosen }, "place", context, ...state.lead)
    : placeGone(state, context, ...state.lead);
}

/** The place was withdrawn. The callee keeps their position on the list. */
export const placeGone = (state: TalkState, context: TalkContext, ...before: Phrase[]): TalkMove =>
  tell(state, "place_gone", context, ...before, context.phrases.gone, context.phrases.staysWaiting);

export const declinePlace = (state: TalkState, stays: boolean): TalkMove =>
  work({ ...state, staysWaiting: stays }, { do: "decline", stays });

export function afterDecline(state: TalkState, isDone: boolean, context: TalkContext): TalkMove {
  if (!isDone) return notSaved(state, context);
  return state.staysWaiting
    ? tell(state, "stays_waiting", context, context.phrases.staysWaiting)
    : tell(state, "left_list", context, context.phrases.leftList);
}

export const afterWait = (state: TalkState, isDone: boolean, context: TalkContext): TalkMove =>
  isDone ? settle(state, "waitlisted", context, context.phrases.waitlisted) : notSaved(state, context);

/** Without an appointment there is nothing to change, so the callee may join the waiting list. */
export function nothingOpen(state: TalkState, context: TalkContext, ...said: Phrase[]): TalkMove {
  if (state.appointment) return aPersonFindsIt(state, context);
  return context.call.canWait
    ? askNext(state, "wait", context, ...said)
    : tell(state, "nothing_open", context, ...said);
}
