// We fall silent at the first sound of somebody who may be about to stop us, before it is clear that they do. Whoever only coughed
// hears us go on at once; whoever speaks on has been listened to from the beginning. The turn machine decides; this is ahead of it.
import type { TurnState } from "./turn-model.ts";
import { voicedMs } from "./voice-run.ts";

/**
 * Three windows. Through the jitter buffer, the detector and the fade it is silent some 250 ms after their first sound; with the
 * 200 ms after which they count as somebody who speaks it was 380.
 */
const HUSH_AFTER_MS = 96;
/** The k in "excuse me" is as long. */
const GO_ON_AFTER_MS = 128;
/** Whoever falls silent for every noise of a street is hard to listen to. */
const MOST_IN_VAIN = 2;

export interface Hush {
  /** Their last voice, in ms of audio, while we are hushed; null while we are not. */
  readonly voiceAtMs: number | null;
  /** Times in our present words that nothing came of it. */
  readonly inVain: number;
}

export const NO_HUSH: Hush = { voiceAtMs: null, inVain: 0 };

export interface HushMove {
  hush: Hush;
  command: "pause" | "resume" | null;
}

/** After every event of the turn machine. `isWindow`: it was the next window of audio; anything else ends a hush. */
export function nextHush(hush: Hush, state: TurnState, isWindow: boolean): HushMove {
  const { segment, isOurTurn, isOver, run, audioMs } = state;
  // Now it is the turn machine that pauses us.
  if (segment || isOver) return { hush: { ...hush, voiceAtMs: null }, command: null };
  const forMs = isOurTurn ? voicedMs(run, audioMs) : 0;
  const { voiceAtMs, inVain } = hush;
  if (voiceAtMs === null) {
    const isWorthIt = isWindow && forMs >= HUSH_AFTER_MS && inVain < MOST_IN_VAIN;
    return isWorthIt ? { hush: { voiceAtMs: audioMs, inVain }, command: "pause" } : { hush, command: null };
  }
  if (forMs > 0) return { hush: { voiceAtMs: audioMs, inVain }, command: null };
  if (isWindow && isOurTurn && audioMs - voiceAtMs < GO_ON_AFTER_MS) return { hush, command: null };
  return { hush: { voiceAtMs: null, inVain: inVain + 1 }, command: "resume" };
}
