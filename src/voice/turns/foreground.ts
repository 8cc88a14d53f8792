// Tells the caller's voice from voices behind it: a television, a waiting room. The detector hears speech in both. What went on and on
// without answering anything is background, and from then on only what is clearly louder counts.

const FRAME_MS = 20;
const WINDOW_MS = 32;
/** Half a minute: longer than anybody is listened to in one go. */
const KEPT_FRAMES = 1_500;
/** Quieter than this is no voice. */
const FLOOR_DB = -55;
/** Of the background's frames, so many are quieter than the gate, which lies a little above them. A caller is some 10 dB louder. */
const BACKGROUND_SHARE = 0.9;
const ABOVE_BACKGROUND_DB = 3;
/** Of the caller's frames: their vowels. The gate stays so far below them. */
const CALLER_SHARE = 0.8;
const BELOW_CALLER_DB = 5;
/** Consonants and soft syllables are quieter than the gate, and belong to the word. */
const OPEN_MS = 320;

export interface Foreground {
  /** Voices that are not the caller's were heard. */
  readonly hasBackground: boolean;
  /** With every frame of 20 ms. */
  tick(frame: Int16Array): void;
  /** The detector's figure for the window that ended at this moment of audio; 0 where it was background. */
  judge(probability: number, atMs: number): number;
  /** What was heard between these moments was background. */
  learnBackground(fromMs: number, toMs: number): void;
  /** What was heard between these moments was the caller. */
  learnCaller(fromMs: number, toMs: number): void;
}

export function createForeground(): Foreground {
  const levels = new Float32Array(KEPT_FRAMES).fill(-Infinity);
  let frames = 0;
  let gateDb: number | null = null;
  let callerDb: number | null = null;
  let openUntilMs = -Infinity;

  /** Of the frames between two moments, the level that this share of them lies below; null where there was no sound. */
  function levelIn(fromMs: number, toMs: number, share: number): number | null {
    const oldest = Math.max(0, frames - KEPT_FRAMES, Math.floor(fromMs / FRAME_MS));
    const newest = Math.min(frames, Math.ceil(toMs / FRAME_MS));
    const heard: number[] = [];
    for (let frame = oldest; frame < newest; frame++) {
      const level = levels[frame % KEPT_FRAMES] ?? -Infinity;
      if (level > FLOOR_DB) heard.push(level);
    }
    heard.sort((a, b) => a - b);
    return heard[Math.min(heard.length - 1, Math.floor(share * heard.length))] ?? null;
  }

  /** Nobody is shut out whom we have understood before. */
  function keepBelowCaller(): void {
    if (gateDb !== null && callerDb !== null) gateDb = Math.min(gateDb, callerDb - BELOW_CALLER_DB);
  }

  return {
    get hasBackground() {
      return gateDb !== null;
    },
    tick(frame) {
      let sum = 0;
      for (const sample of frame) sum += sample * sample;
      const power = sum / Math.max(1, frame.length) / 32_768 ** 2;
      levels[frames++ % KEPT_FRAMES] = power > 0 ? 10 * Math.log10(power) : -Infinity;
    },
    judge(probability, atMs) {
      if (gateDb === null) return probability;
      const level = levelIn(atMs - WINDOW_MS, atMs, 1) ?? -Infinity;
      if (level >= gateDb) openUntilMs = atMs + OPEN_MS;
      return atMs <= openUntilMs ? probability : 0;
    },
    learnBackground(fromMs, toMs) {
      const level = levelIn(fromMs, toMs, BACKGROUND_SHARE);
      if (level !== null) gateDb = Math.max(gateDb ?? -Infinity, level + ABOVE_BACKGROUND_DB);
      keepBelowCaller();
      openUntilMs = -Infinity;
    },
    learnCaller(fromMs, toMs) {
      callerDb = levelIn(fromMs, toMs, CALLER_SHARE) ?? callerDb;
      keepBelowCaller();
    },
  };
}
