// Results of a transfer, and what the agent says about them.
import { afterHandover } from "./danger.ts";
import type { TalkEvent, TalkMove, TalkState } from "./model.ts";
import { askNext, hangUp, tell, type TalkContext } from "./moves.ts";

const MOST_REFUSALS = 1;

export function afterTransfer(
  state: TalkState,
  outcome: Extract<TalkEvent, { type: "transferred" }>["outcome"],
  context: TalkContext,
): TalkMove {
  if (state.outcome === "emergency") return afterHandover(state, outcome, context);
  const wasUnheard = state.outcome === "not_understood";
  if (outcome === "answered") return hangUp({ ...state, outcome: "transferred" });
  if (outcome === "handed_over") return hangUp({ ...state, outcome: "handed_over" });
  if (outcome === "gone") return hangUp({ ...state, outcome: wasUnheard ? "not_understood" : "transfer_refused" });
  const { phrases } = context;
  if (wasUnheard) return tell(state, "not_understood", context, phrases.transferRefused, phrases.notUnderstoodAlone);
  const refused: TalkState = { ...state, outcome: "transfer_refused", refusals: state.refusals + 1 };
  return refused.refusals > MOST_REFUSALS
    ? tell(refused, "transfer_refused", context, phrases.transferRefused)
    : askNext(refused, state.question, context, phrases.transferRefused);
}
