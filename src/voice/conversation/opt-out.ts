// The wish not to be called again. On outbound calls it counts at once in every state, by key and by clear words. The
// number of an inbound caller may be another person's.
import { SURE, confidenceIn } from "./confidence.ts";
import { NEVER_AGAIN_KEY } from "./keys.ts";
import { tell, type TalkContext } from "./moves.ts";
import type { Outcome, Stage, TalkEvent, TalkMove, TalkState } from "./model.ts";

function isWish(event: TalkEvent): boolean {
  if (event.type === "key") return event.key === NEVER_AGAIN_KEY;
  return event.type === "heard" && confidenceIn(event.meaning, "do_not_call") >= SURE;
}

export const optedOut = (state: TalkState, event: TalkEvent, { call }: TalkContext): TalkState =>
  call.isOutbound && isWish(event) ? { ...state, isOptedOut: true } : state;

/** Pending work ends first. */
const BUSY: readonly Stage[] = ["working", "over"];
/** Help in an emergency goes on. */
const STANDING: readonly Outcome[] = ["emergency", "opted_out"];

/** Ends the call with the confirmation, after a result that was about to be told. */
export function afterOptOut(move: TalkMove, context: TalkContext): TalkMove {
  const { stage, outcome, question, isOptedOut, closing } = move.state;
  const isBusy = BUSY.includes(stage) || STANDING.includes(outcome) || question === "danger";
  if (!isOptedOut || isBusy) return move;
  const result = move.action?.do === "say" && stage === "telling" ? closing : [];
  return tell(move.state, "opted_out", context, ...result, context.phrases.optedOut);
}
