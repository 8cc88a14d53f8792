// The end of a call whose callee hung up: what they said last is still recognised, and what it does in the calendar is waited for.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { within } from "../../core/within.ts";
import type { Recognised } from "../../speech/ears/port.ts";
import type { TalkAction } from "../conversation/model.ts";
import type { Listening } from "./listening-port.ts";

/** The recogniser takes a fifth of a second. Whoever waits for the end of the call waits no longer than this. */
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

/** What an answer does in the calendar, even where the callee hung up right after it. */
export const isLastErrand = (action: TalkAction): boolean => LAST_ERRANDS.includes(action.do);

/** Null where nobody was speaking, or nothing was understood. */
export async function lastWordsOf(listening: Listening, clock: Clock): Promise<Recognised | null> {
  const words = await within(clock, RECOGNISED_WITHIN_MS, () => listening.lastWords(), null);
  return words && (words.text.trim() !== "" || words.alarms.length > 0) ? words : null;
}

export interface LastErrands {
  /** Carries it out, and remembers it while it is under way. */
  begin(action: TalkAction, carryOut: () => Promise<void>): Promise<void>;
  /** One may follow from another. */
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
