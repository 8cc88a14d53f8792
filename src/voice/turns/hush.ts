// We fall silent at the first sound of somebody who may be about to stop us, before it is clear that they do. Whoever only coughed
// hears us go on at once; whoever speaks on has been listened to from the beginning. The turn machine decides; this is ahead of it.
import type { TurnState } from "./turn-model.ts";

/**
 * So much in the last windows together, one of them clear: two or three windows of a clear voice, five of one that the detector is
 * in doubt of. Through jitter buffer, detector and fade it is silent some 230 ms after their first sound; with the 200 ms after
 * which they count as somebody who speaks it was 380.
 */
const EVIDENCE = 1.7;
const WINDOWS = 5;
/** Silero's own figure for voice. */
const CLEAR = 0.5;
/** The detector loses some voices for as long as this in the middle of a word. */
const GO_ON_AFTER_MS = 256;
/** Whoever falls silent for every noise of a street is hard to listen to. */
const MOST_IN_VAIN = 2;

export interface Hush {
  /** What the detector said of the last windows. */
  readonly recent: readonly number[];
  /** Their last voice, in ms of audio, while we are hushed; null while we are not. */
  readonly voiceAtMs: number | null;
  /** Times in our present words that nothing came of it. */
  readonly inVain: number;
}

export const NO_HUSH: Hush = { recent: [], voiceAtMs: null, inVain: 0 };

export interface HushMove {
  hush: Hush;
  command: "pause" | "resume" | null;
}

/**
 * After every event of the turn machine. `probability`: of the window that it was, 0 for our own echo; null where it was something
 * else, which ends a hush.
 */
export function nextHush({ recent, voiceAtMs, inVain }: Hush, state: TurnState, probability: number | null): HushMove {
  const { segment, isOurTurn, isOver, audioMs } = state;
  // Now it is the turn machine that pauses us.
  if (segment || isOver) return { hush: { recent: [], voiceAtMs: null, inVain }, command: null };
  const isListening = isOurTurn && probability !== null;
  const heard = isListening ? [...recent, probability > 0 ? probability : 0].slice(-WINDOWS) : [];
  const isVoice = heard.reduce((sum, each) => sum + each, 0) >= EVIDENCE && heard.some((each) => each >= CLEAR);
  if (voiceAtMs === null) {
    if (!isVoice || inVain >= MOST_IN_VAIN) return { hush: { recent: heard, voiceAtMs, inVain }, command: null };
    return { hush: { recent: heard, voiceAtMs: audioMs, inVain }, command: "pause" };
  }
  if (isVoice) return { hush: { recent: heard, voiceAtMs: audioMs, inVain }, command: null };
  if (isListening && audioMs - voiceAtMs < GO_ON_AFTER_MS)
    return { hush: { recent: heard, voiceAtMs, inVain }, command: null };
  return { hush: { recent: [], voiceAtMs: null, inVain: inVain + 1 }, command: "resume" };
}
