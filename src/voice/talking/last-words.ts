// End of a call when the callee hangs up: their last words are still recognised, and the resulting calendar work is
// awaited.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { within } from "../../core/within.ts";
import type { Recognised } from "../../speech/ears/port.ts";
import type { TalkAction } from "../conversation/model.ts";
import type { Listening } from "./listening-port.ts";

/** Recognition takes about 200 ms. This bounds the delay of the call's end. */
const RECOGNISED_WITHIN_MS = 2 * SECOND_MS;
const LAST_ERRANDS: readonly TalkAction["do"][] = [
  "confirm",
  "cancel",
  "requestChange",
  "book",
  "undo",
  "wait",
  "decline",
];

/** Calendar work that is done even if the callee hangs up right after the answer. */
export const isLastErrand = (action: TalkAction): boolean => LAST_ERRANDS.includes(action.do);

/** Null if nothing was being said or nothing was recognised. */
export async function lastWordsOf(listening: Listening, clock: Clock): Promise<Recognised | null> {
  const words = await within(clock, RECOGNISED_WITHIN_MS, () => listening.lastWords(), null);
  return words && (words.text.trim() !== "" || words.alarms.length > 0) ? words : null;
}

export interface LastErrands {
  /** Runs the action and tracks it until it is done. */
  begin(action: TalkAction, carryOut: () => Promise<void>): Promise<void>;
  /** Waits for all pending actions; one may start another. */
  done(): Promise<void>;
}

export function createLastErrands(): LastErrands {
  const underWay = new Set<Promise<void>>();
  return {
    async begin(action, carryOut) {
      const work = carryOut();
      if (!isLastErrand(action)) return work;
      underWay.add(work);
      try {
        await work;
      } finally {
        underWay.delete(work);
      }
    },
    async done() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
