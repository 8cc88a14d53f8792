// Appointments that only the hospital's own system can change: the agent passes the wish on, and says no more than
// that.
import type { Moment } from "../understanding/meaning.ts";
import { aPersonFindsIt, askNext, tell, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";

/** Asks once which time would suit, and passes it on. */
export function passOnMove(state: TalkState, wish: Moment | null, context: TalkContext): TalkMove {
  const isNamed = wish !== null && (wish.date !== null || wish.time !== null || wish.partOfDay !== null);
  const wishing = { ...state, wish: isNamed ? wish : null };
  if (isNamed || context.call.byKeys || state.question === "day") return aPersonFindsIt(wishing, context);
  return askNext(wishing, "day", context);
}

/** An appointment of another system stands until it is cancelled there. */
export function afterCancel(state: TalkState, context: TalkContext): TalkMove {
  const { phrases } = context;
  return state.appointment?.passedOn?.includes("cancel")
    ? tell(state, "cancel_requested", context, phrases.cancelRequested)
    : tell({ ...state, appointment: null }, "cancelled", context, phrases.cancelled);
}
