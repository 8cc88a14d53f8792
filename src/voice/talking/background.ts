// Which words are not the caller's: a television, or people in the room. They go on and on, answer nothing, or are
// quieter.
import type { Recognised } from "../../speech/ears/port.ts";
import { isBackchannel } from "../turns/end-of-turn.ts";
import { NOT_CLEAR } from "./hearing-words.ts";
import type { TalkState } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { Meaning } from "../understanding/meaning.ts";

export const FIRST_LOOK_MS = 2_200;
export const SECOND_LOOK_MS = 4_500;
export const LAST_LOOK_MS = 8_000;
/** Several voices at once, or one that was cut off in the middle of a word, are recognised with less. */
const BABBLE = 0.5;
/** Words that were understood, and recognised with this much, were the caller's. */
const CALLERS = 0.7;

/** Speech that has gone on for so long, and goes on. */
export interface LongSpeech {
  /** Null where the recogniser did not answer in time. */
  words: Recognised | null;
  forMs: number;
  /** It began while we spoke. */
  isOverUs: boolean;
}

/** What speech that goes on is taken for. `unclear`: the agent speaks on, and listens on beside it. */
export type LongSpeechIs = "theirs" | "unclear" | "background";

export function judgeLong(speech: LongSpeech, state: TalkState, isLost: (words: Recognised) => boolean): LongSpeechIs {
  if (isBackground(speech, state, isLost)) return "background";
  const { words } = speech;
  if (words === null) return "unclear";
  const isAlarm = words.alarms.length + (words.nearAlarms?.length ?? 0) > 0;
  return !isAlarm && (words.text.trim() === "" || isLost(words)) ? "unclear" : "theirs";
}

/** Whether speech that goes on is background. A cry for help never is. */
function isBackground(
  { words, forMs, isOverUs }: LongSpeech,
  { isContact }: TalkState,
  isLost: (words: Recognised) => boolean,
): boolean {
  // Before the contact has spoken it may be a voicemail, or a robot that screens calls: they are heard out.
  const isKnown = isContact === true;
  const isSoon = isOverUs && isKnown;
  // The recogniser is late: the keys are offered, and the spotter listens for a cry for help.
  if (!words) return isSoon || forMs >= SECOND_LOOK_MS;
  if (words.alarms.length > 0 || words.nearAlarms?.length) return false;
  if (words.text.trim() === "" || words.confidence < BABBLE) return isKnown || forMs >= SECOND_LOOK_MS;
  // An answer is shorter.
  if (forMs >= LAST_LOOK_MS && isKnown) return true;
  return (isSoon || forMs >= SECOND_LOOK_MS) && isLost(words);
}

/** Whether these words would only count as not understood. */
export const isLost = (state: TalkState, meaning: Meaning, context: TalkContext): boolean =>
  nextTalkMove(state, { type: "heard", meaning }, context).state.misunderstandings > state.misunderstandings;

/**
 * What a turn was: `aside`, where it counts for nothing, stands in the transcript; `from`: whose words they were, where
 * we know.
 */
export interface JudgedTurn {
  aside: string | null;
  from: "caller" | "room" | null;
}

/**
 * "Mhm" over us asks for the rest of our sentence. What is not understood is talk in the room where it was said over
 * us, or was clearly quieter than the caller.
 */
export function judgeTurn(
  { text, confidence, alarms, nearAlarms = [] }: Recognised,
  isLost: boolean,
  wasInterruption: boolean,
  isFaint: boolean,
): JudgedTurn {
  if (text.trim() === "" && alarms.length + nearAlarms.length === 0) return { aside: "", from: null };
  if (wasInterruption && isBackchannel(text)) return { aside: text, from: null };
  if (!isLost) return { aside: null, from: confidence >= CALLERS ? "caller" : null };
  return { aside: wasInterruption || isFaint ? NOT_CLEAR : null, from: isFaint ? "room" : null };
}
