// From the detector's figures to voice and silence, with a gap between on and off so that a soft syllable ends nothing.

/** Silero's own figure for the beginning of speech. */
const ON = 0.5;
/** Endings and soft vowels lie between; noise and comfort noise stay below. */
const OFF = 0.35;
/** Silero's step at 8 kHz: 256 samples. */
export const WINDOW_MS = 32;
/** A soft beginning ("haan", "fifteen") may precede the first clear window by so much, and belongs to the word. */
const PRE_ROLL_MS = 400;

/** Windows in a row that are not silent. */
export interface VoiceRun {
  /** Where the row begins; null in silence. */
  readonly softSinceMs: number | null;
  /** Where its first clear window begins; null where there was none. */
  readonly sinceMs: number | null;
}

export const NO_VOICE: VoiceRun = { softSinceMs: null, sinceMs: null };

export function hearWindow(run: VoiceRun, probability: number, atMs: number): VoiceRun {
  // Not a number is no voice either.
  if (!(probability >= OFF)) return NO_VOICE;
  const beganMs = atMs - WINDOW_MS;
  return {
    softSinceMs: run.softSinceMs ?? beganMs,
    sinceMs: run.sinceMs ?? (probability >= ON ? beganMs : null),
  };
}

/** For how long there has been clear voice. */
export function voicedMs({ sinceMs }: VoiceRun, atMs: number): number {
  return sinceMs === null ? 0 : atMs - sinceMs;
}

/** Where the word began that the run is the voice of. */
export function onsetMs({ softSinceMs, sinceMs }: VoiceRun, atMs: number): number {
  const clearMs = sinceMs ?? atMs;
  return Math.max(softSinceMs ?? clearMs, clearMs - PRE_ROLL_MS);
}
