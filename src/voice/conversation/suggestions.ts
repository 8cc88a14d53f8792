// Effects of a language model's suggestions: a question to the callee, open times, a person. The model itself cannot
// book, move or cancel; only the callee's answer to our own question does.
import type { Intent } from "../understanding/meaning.ts";
import { anotherRound, MOST_ROUNDS, readBack } from "./answers.ts";
import { askNext, tell, transferTo, type Suggestions, type TakeSuggestion, type TalkContext } from "./moves.ts";
import type { Suggestion, TalkMove, TalkState } from "./model.ts";

/** Null: not applicable now; the current question is asked again. */
export const SUGGESTIONS: Suggestions = {
  offer(state, { wish }, context) {
    if (context.call.hasPlace) return null;
    if (!(state.appointment || context.call.canBook) || state.rounds >= MOST_ROUNDS) return null;
    const { state: offering, action } = anotherRound(state, wish ?? ANY_TIME, context);
    return { state: { ...offering, wasSuggested: true }, action };
  },

  // Reads the time back; the callee's yes books it.
  choose(state, { label }, context) {
    if (state.question !== "offers" && state.question !== "slot") return null;
    const index = state.offers.findIndex((slot) => slot.label === label);
    return state.question === "slot" && state.chosen?.label === label
      ? askNext(state, "slot", context)
      : readBack(state, index, context);
  },

  // Asks first; the callee's yes stores it.
  wait: (state, _, context) =>
    context.call.canWait && !state.appointment && state.outcome !== "waitlisted"
      ? askNext(state, "wait", context)
      : null,

  cancel: (state, _, context) => (state.appointment ? askNext(state, "cancel", context) : null),

  transfer(state, _, context) {
    const { call, phrases } = context;
    return transferTo(state, context, state.outcome, call.canTransfer ? phrases.transfer : phrases.nobodyToTransferTo);
  },

  callback: (state, _, context) => (context.call.isOutbound ? doubt(state, "call_later", context) : null),

  optOut: (state, _, context) => (context.call.isOutbound ? doubt(state, "do_not_call", context) : null),

  // Never hangs up while our own question is open.
  end(state, _, context) {
    if (state.question !== "open") return null;
    return tell(state, state.outcome === "none" ? "acknowledged" : state.outcome, context);
  },
};

const ANY_TIME = { date: null, dateEnd: null, time: null, partOfDay: null, conflict: false } as const;

const doubt = (state: TalkState, intent: Intent, context: TalkContext): TalkMove =>
  askNext({ ...state, doubted: { intent, before: state.question } }, "doubt", context);

export function suggested(state: TalkState, suggestion: Suggestion, context: TalkContext): TalkMove | null {
  const take = (context.rules?.suggestions ?? SUGGESTIONS)[suggestion.do] as TakeSuggestion<Suggestion["do"]>;
  return take(state, suggestion, context);
}
