// Tells the caller's voice from voices behind it: a television, a waiting room. The detector hears speech in both. What
// went on and on without answering anything is background, and from then on only what is clearly louder counts.

const FRAME_MS = 20;
const WINDOW_MS = 32;
/** Half a minute: longer than anybody is listened to in one go. */
const KEPT_FRAMES = 1_500;
/** Quieter than this is no voice. */
const FLOOR_DB = -55;
/**
 * The gate lies above the middle one of the background's frames: a word of the caller among them does not raise it. A caller is some
 * 10 dB louder than a television, whose loudest frames are as loud as the caller. They are short: over 240 ms the median of four
 * voices reached this level twice in 20 s at most, and that of a single "no", "yes" or "yeah" in four voices did so each time.
 */
const MIDDLE = 0.5;
const ABOVE_BACKGROUND_DB = 7;
const SUSTAINED_MS = 240;
/** So much the gate is lowered where nothing has come through it. */
const GIVE_WAY_DB = 3;
/** Of the caller's frames: their vowels. The gate stays so far below them. */
const CALLER_SHARE = 0.8;
const BELOW_CALLER_DB = 5;
/** Of a turn's frames, the loudest: the caller's word may be short beside what the television adds to it. */
const LOUDEST_SHARE = 0.95;
const FAINT_DB = 4;
/** A caller who falls silent before a television: so much of them, then for so long only what is so much quieter. */
const HEAD_MS = 200;
const TAIL_MS = 700;
const FELL_DB = 8;
/** The last consonant is quieter than the vowel before it. */
const WORD_END_MS = 250;
/** Consonants and soft syllables are quieter than the gate, and belong to the word. */
const OPEN_MS = 320;

export interface Foreground {
  /** Voices that are not the caller's were heard. */
  readonly hasBackground: boolean;
  /** Words of the caller were understood, so that their level is known. */
  readonly knowsCaller: boolean;
  /** How much later than its beginning a word counts, in milliseconds of audio. */
  readonly lateMs: number;
  /** With every frame of 20 ms. */
  tick(frame: Int16Array): void;
  /**
   * The detector's figure for the window that ended at this moment of audio; 0 where it was background. While we speak,
   * only what is about as loud as the caller was counts.
   */
  judge(probability: number, atMs: number, isOurTurn: boolean): number;
  /** What was heard between these moments was background. */
  learnBackground(fromMs: number, toMs: number): void;
  /** What was heard between these moments was the caller. */
  learnCaller(fromMs: number, toMs: number): void;
  /**
   * Whether even the loudest of what was heard between these moments was clearly quieter than the caller, where we know
   * them.
   */
  isFaint(fromMs: number, toMs: number): boolean;
  /**
   * When the louder voice fell silent in what is heard since this moment, and goes on more quietly; null where it did
   * not.
   */
  fellSilentAt(fromMs: number, nowMs: number): number | null;
  /** Nothing has come through: the gate may be too high. */
  giveWay(): void;
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
    get knowsCaller() {
      return callerDb !== null;
    },
    get lateMs() {
      return gateDb === null ? 0 : SUSTAINED_MS;
    },
    tick(frame) {
      let sum = 0;
      for (const sample of frame) sum += sample * sample;
      const power = sum / Math.max(1, frame.length) / 32_768 ** 2;
      levels[frames++ % KEPT_FRAMES] = power > 0 ? 10 * Math.log10(power) : -Infinity;
    },
    judge(probability, atMs, isOurTurn) {
      const whileWeSpeakDb = isOurTurn && callerDb !== null ? callerDb - BELOW_CALLER_DB : -Infinity;
      const leastDb = Math.max(gateDb ?? -Infinity, whileWeSpeakDb);
      if (leastDb === -Infinity) return probability;
      const level = gateDb === null ? levelIn(atMs - WINDOW_MS, atMs, 1) : levelIn(atMs - SUSTAINED_MS, atMs, MIDDLE);
      if ((level ?? -Infinity) >= leastDb) openUntilMs = atMs + OPEN_MS;
      return atMs <= openUntilMs ? probability : 0;
    },
    learnBackground(fromMs, toMs) {
      const level = levelIn(fromMs, toMs, MIDDLE);
      if (level !== null) gateDb = Math.max(gateDb ?? -Infinity, level + ABOVE_BACKGROUND_DB);
      keepBelowCaller();
      openUntilMs = -Infinity;
    },
    learnCaller(fromMs, toMs) {
      callerDb = levelIn(fromMs, toMs, CALLER_SHARE) ?? callerDb;
      keepBelowCaller();
    },
    isFaint(fromMs, toMs) {
      const level = levelIn(fromMs, toMs, LOUDEST_SHARE);
      return callerDb !== null && level !== null && level < callerDb - FAINT_DB;
    },
    fellSilentAt(fromMs, nowMs) {
      const tailFromMs = nowMs - TAIL_MS;
      if (tailFromMs - fromMs < 2 * HEAD_MS) return null;
      const share = 1 - HEAD_MS / Math.min(tailFromMs - fromMs, KEPT_FRAMES * FRAME_MS);
      const head = levelIn(fromMs, tailFromMs, share);
      const tail = levelIn(tailFromMs, nowMs, LOUDEST_SHARE);
      return head !== null && tail !== null && tail < head - FELL_DB ? tailFromMs + WORD_END_MS : null;
    },
    giveWay() {
      if (gateDb !== null) gateDb -= GIVE_WAY_DB;
    },
  };
}
