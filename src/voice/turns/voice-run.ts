// Voice or silence from the detector's probabilities, with hysteresis so that a soft syllable ends nothing.

/** Silero's own threshold for the start of speech. */
const ON = 0.5;
/** Word endings and soft vowels lie above; noise and comfort noise stay below. */
const OFF = 0.35;
/** Silero's step at 8 kHz: 256 samples. */
export const WINDOW_MS = 32;
/** A soft onset ("haan", "fifteen") may precede the first clear window by this much and belongs to the word. */
const PRE_ROLL_MS = 400;

/** A run of windows that are not silent. */
export interface VoiceRun {
  /** Start of the run; null in silence. */
  readonly softSinceMs: number | null;
  /** Start of its first clear window; null if none. */
  readonly sinceMs: number | null;
}

export const NO_VOICE: VoiceRun = { softSinceMs: null, sinceMs: null };

export function hearWindow(run: VoiceRun, probability: number, atMs: number): VoiceRun {
  // NaN counts as silence.
  if (!(probability >= OFF)) return NO_VOICE;
  const beganMs = atMs - WINDOW_MS;
  return {
    softSinceMs: run.softSinceMs ?? beganMs,
    sinceMs: run.sinceMs ?? (probability >= ON ? beganMs : null),
  };
}

/** Duration of clear voice so far. */
export function voicedMs({ sinceMs }: VoiceRun, atMs: number): number {
  return sinceMs === null ? 0 : atMs - sinceMs;
}

/** Onset of the word that the run belongs to. */
export function onsetMs({ softSinceMs, sinceMs }: VoiceRun, atMs: number): number {
  const clearMs = sinceMs ?? atMs;
  return Math.max(softSinceMs ?? clearMs, clearMs - PRE_ROLL_MS);
}
