// Pauses playback at the first sign of barge-in, before it is confirmed. After a cough playback resumes at once; a real
// interruption has been heard from its beginning. The turn machine makes the decision; this only acts earlier.
import type { TurnState } from "./turn-model.ts";

/**
 * Sum of probabilities over the last windows, with at least one clear: two or three windows of clear voice, or five of
 * doubtful voice. Including jitter buffer, detector and fade, playback stops about 230 ms after the first sound;
 * waiting for the 200 ms that confirm speech, it took 380 ms.
 */
const EVIDENCE = 1.7;
const WINDOWS = 5;
/** Silero's own threshold for voice. */
const CLEAR = 0.5;
/** The detector can lose a voice for this long in mid-word. */
const GO_ON_AFTER_MS = 256;
/** Limit of false pauses per utterance, because an agent that stops for every street noise is hard to follow. */
const MOST_IN_VAIN = 2;

export interface Hush {
  /** Probabilities of the last windows. */
  readonly recent: readonly number[];
  /** Audio time of the last voice during a hush, in ms; null otherwise. */
  readonly voiceAtMs: number | null;
  /** False pauses during the current utterance. */
  readonly inVain: number;
}

export const NO_HUSH: Hush = { recent: [], voiceAtMs: null, inVain: 0 };

export interface HushMove {
  hush: Hush;
  command: "pause" | "resume" | null;
}

/**
 * Called after every event of the turn machine. `probability`: of the window, 0 for our own echo; null for other
 * events, which end a hush.
 */
export function nextHush({ recent, voiceAtMs, inVain }: Hush, state: TurnState, probability: number | null): HushMove {
  const { segment, isOurTurn, isOver, audioMs } = state;
  // From here on the turn machine controls the pause.
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
