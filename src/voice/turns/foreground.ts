// Separates the caller's voice from background voices such as a television or a waiting room; voice activity detection
// reports both. Long speech without an answer is learned as background, and then only clearly louder audio counts.

const FRAME_MS = 20;
const WINDOW_MS = 32;
/** 30 s, longer than any single turn. */
const KEPT_FRAMES = 1_500;
/** Quieter audio is not voice. */
const FLOOR_DB = -55;
/**
 * The gate lies above the median of background frames, so that a single word of the caller does not raise it. A caller
 * is about 10 dB louder than a television, whose loudest frames reach the caller's level. Those are short: over 240 ms
 * the median of four background voices reached this level at most twice in 20 s, while a single "no", "yes" or "yeah"
 * of four callers reached it every time.
 */
const MIDDLE = 0.5;
const ABOVE_BACKGROUND_DB = 7;
const SUSTAINED_MS = 240;
/** Step by which the gate is lowered when nothing passes it. */
const GIVE_WAY_DB = 3;
/** Percentile of the caller's frames that represents vowels. The gate stays this far below it. */
const CALLER_SHARE = 0.8;
const BELOW_CALLER_DB = 5;
/** Percentile for the loudest part of a turn: the caller's word may be short compared to the television. */
const LOUDEST_SHARE = 0.95;
const FAINT_DB = 4;
/** Detects a caller who stops while a television goes on: this much speech, then this long only quieter audio. */
const HEAD_MS = 200;
const TAIL_MS = 700;
const FELL_DB = 8;
/** The last consonant is quieter than the vowel before it. */
const WORD_END_MS = 250;
/** Consonants and soft syllables fall below the gate but belong to the word. */
const OPEN_MS = 320;

export interface Foreground {
  /** Voices other than the caller's were detected. */
  readonly hasBackground: boolean;
  /** The caller's level is known from understood words. */
  readonly knowsCaller: boolean;
  /** Delay after which a word counts, in ms of audio. */
  readonly lateMs: number;
  /** Called for every 20 ms frame. */
  tick(frame: Int16Array): void;
  /**
   * The detector's probability for the window ending at this audio time; 0 for background. While the agent speaks, only
   * audio about as loud as the caller counts.
   */
  judge(probability: number, atMs: number, isOurTurn: boolean): number;
  /** Audio between these times was background. */
  learnBackground(fromMs: number, toMs: number): void;
  /** Audio between these times was the caller. */
  learnCaller(fromMs: number, toMs: number): void;
  /**
   * Whether the loudest part between these times was clearly quieter than the caller, if the caller's level is known.
   */
  isFaint(fromMs: number, toMs: number): boolean;
  /** When the louder voice stopped in the audio since this time while a quieter one goes on; null if it did not. */
  fellSilentAt(fromMs: number, nowMs: number): number | null;
  /** Lowers the gate when nothing passes it. */
  giveWay(): void;
}

export function createForeground(): Foreground {
  const levels = new Float32Array(KEPT_FRAMES).fill(-Infinity);
  let frames = 0;
  let gateDb: number | null = null;
  let callerDb: number | null = null;
  let openUntilMs = -Infinity;

  /** Percentile of the frame levels between two times; null without sound. */
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

  /** The gate never excludes a caller who was understood before. */
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
