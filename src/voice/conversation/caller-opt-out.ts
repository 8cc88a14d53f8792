// The wish not to be called again, where it needs an answer: inbound calls ask first, because callers may use another
// person's phone. opt-out.ts has the wish on outbound calls.
import { askNext, isMuteCall, tell, type TalkContext } from "./moves.ts";
import type { TalkCall, TalkMove, TalkState } from "./model.ts";

/** An inbound caller with a withheld number cannot be put on the list. */
export const canOptOut = ({ isOutbound, isCallerKnown }: TalkCall): boolean => isOutbound || isCallerKnown === true;

export function optOut(state: TalkState, context: TalkContext): TalkMove {
  const { call, phrases } = context;
  // Recordings alone cannot ask. A repeated wish is a yes.
  if (call.isOutbound || isMuteCall(call) || state.question === "opt_out")
    return tell(state, "opted_out", context, phrases.optedOut);
  const before = state.question === "doubt" ? (state.doubted?.before ?? "identity") : state.question;
  return askNext({ ...state, doubted: { intent: "do_not_call", before } }, "opt_out", context);
}

/** The caller does not want to stop the calls: back to the question before, or to the closing. */
export function keepCalls(state: TalkState, context: TalkContext): TalkMove {
  const before = state.doubted?.before ?? "identity";
  const resumed: TalkState = { ...state, question: before, doubted: null };
  const isDone = state.outcome !== "none" && before !== "open";
  return isDone ? tell(resumed, state.outcome, context) : askNext(resumed, before, context);
}
