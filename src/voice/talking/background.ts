// Tells the caller's words from background speech such as a television or people in the room. Background speech goes
// on, answers nothing, or is quieter.
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
/** Recognition confidence stays below this for overlapping voices and for speech cut off mid-word. */
const BABBLE = 0.5;
/** Understood words with at least this confidence are the caller's. */
const CALLERS = 0.7;

/** Speech that is still going on after a long time. */
export interface LongSpeech {
  /** Null if the recogniser timed out. */
  words: Recognised | null;
  forMs: number;
  /** It started while the agent spoke. */
  isOverUs: boolean;
  /** It is clearly quieter than the caller, or than callers in general while their level is unknown. */
  isFaint: boolean;
}

/** Verdict on long speech. `unclear`: the agent speaks on and keeps listening. */
export type LongSpeechIs = "theirs" | "unclear" | "background";

export function judgeLong(speech: LongSpeech, state: TalkState, isLost: (words: Recognised) => boolean): LongSpeechIs {
  if (isBackground(speech, state, isLost)) return "background";
  const { words } = speech;
  if (words === null) return "unclear";
  const isAlarm = words.alarms.length + (words.nearAlarms?.length ?? 0) > 0;
  return !isAlarm && (words.text.trim() === "" || isLost(words)) ? "unclear" : "theirs";
}

/** Whether long speech is background. A cry for help never is. */
function isBackground(
  { words, forMs, isOverUs, isFaint }: LongSpeech,
  { isContact }: TalkState,
  isLost: (words: Recognised) => boolean,
): boolean {
  // Before the contact has spoken it may be voicemail or a call-screening robot; the agent hears these out.
  const isKnown = isContact === true || isFaint;
  const isSoon = isOverUs && isKnown;
  // The recogniser is late: the agent offers the keys while the spotter listens for a cry for help.
  if (!words) return isSoon || forMs >= SECOND_LOOK_MS;
  if (words.alarms.length > 0 || (words.nearAlarms?.length && !isFaint)) return false;
  if (words.text.trim() === "" || words.confidence < BABBLE) return isKnown || forMs >= SECOND_LOOK_MS;
  // Answers are shorter than this.
  if (forMs >= LAST_LOOK_MS && isKnown) return true;
  return (isSoon || forMs >= SECOND_LOOK_MS) && isLost(words);
}

/** The agent says its last words, or has said them. */
export const isLeaving = ({ stage }: TalkState): boolean => stage === "telling" || stage === "leaving";

/** Whether these words would only count as not understood. */
export const isLost = (state: TalkState, meaning: Meaning, context: TalkContext): boolean =>
  nextTalkMove(state, { type: "heard", meaning }, context).state.misunderstandings > state.misunderstandings;

/** Verdict on a turn. `aside`: transcript entry of words that do not count. `from`: the speaker, if known. */
export interface JudgedTurn {
  aside: string | null;
  from: "caller" | "room" | null;
}

/** `caller`: as loud as a caller. `faint`: clearly quieter. `background`: faint, and background voices are known. */
export type Loudness = "caller" | "faint" | "background";

/**
 * A backchannel over the agent ("mhm") asks it to go on. Words that were not understood are background if they were
 * said over the agent, or were faint. With known background, faint words are background whatever they mean. An alarm
 * phrase always counts.
 */
export function judgeTurn(
  { text, confidence, alarms, nearAlarms = [] }: Recognised,
  isLost: boolean,
  wasInterruption: boolean,
  loudness: Loudness,
): JudgedTurn {
  if (text.trim() === "" && alarms.length + nearAlarms.length === 0) return { aside: "", from: null };
  if (wasInterruption && isBackchannel(text)) return { aside: text, from: null };
  if (loudness === "background" && alarms.length === 0) return { aside: NOT_CLEAR, from: "room" };
  if (!isLost) return { aside: null, from: confidence >= CALLERS ? "caller" : null };
  const isFaint = loudness !== "caller";
  return { aside: wasInterruption || isFaint ? NOT_CLEAR : null, from: isFaint ? "room" : null };
}
