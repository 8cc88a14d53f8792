// Separates the caller's voice from background voices such as a television or a waiting room; voice activity detection
// reports both. Long speech without an answer is learned as background, and then only clearly louder audio counts.
import { createLevels, KEPT_MS } from "./levels.ts";

const WINDOW_MS = 32;
/** Same threshold as the turn machine. */
const VOICE = 0.5;
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
/**
 * While the caller's level is unknown, voices below this one are far from the telephone. Nine voices at a telephone's
 * level reach −20 dB with a fifth of their frames, a television 10 dB below them reaches −25 dB with a twentieth.
 */
const FAR_DB = -23;
const FAR_SHARE = 0.9;
/** Lowers the barge-in threshold for quiet callers. */
const FAR_LENIENCE_DB = 3;
/** Far voices that talk for this long while the agent speaks are background: callers say less over a greeting. */
const FAR_MS = 1_500;
/** Lower limit of a gate above far voices: a caller at a telephone passes it. */
const ABOVE_FAR_DB = 4;
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
  /** Sound below this level is background; null while there is none. */
  readonly gateDb: number | null;
  /** How much later than its beginning a word counts, in milliseconds of audio. */
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
   * Whether the loudest part between these times was clearly quieter than the caller, or than callers in general while
   * the caller's level is unknown.
   */
  isFaint(fromMs: number, toMs: number): boolean;
  /** When the louder voice stopped in the audio since this time while a quieter one goes on; null if it did not. */
  fellSilentAt(fromMs: number, nowMs: number): number | null;
  /** Lowers the gate when nothing passes it. */
  giveWay(): void;
}

export function createForeground(): Foreground {
  const levels = createLevels();
  const { levelIn } = levels;
  let gateDb: number | null = null;
  let callerDb: number | null = null;
  let openUntilMs = -Infinity;
  let leastGateDb = -Infinity;
  /** Voices heard while the agent speaks that are too quiet to stop it. */
  let far: { fromMs: number; voicedMs: number } | null = null;

  /** The gate never excludes a caller who was understood before. */
  function keepBelowCaller(): void {
    if (gateDb !== null && callerDb !== null) gateDb = Math.min(gateDb, callerDb - BELOW_CALLER_DB);
  }

  function isFar(fromMs: number, toMs: number): boolean {
    const level = levelIn(fromMs, toMs, FAR_SHARE);
    return level !== null && level < FAR_DB;
  }

  /** While the agent speaks: the level from which a voice may stop it. */
  const overUsDb = () => (callerDb === null ? FAR_DB - FAR_LENIENCE_DB : callerDb - BELOW_CALLER_DB);

  function learnBackground(fromMs: number, toMs: number): void {
    const level = levelIn(fromMs, toMs, MIDDLE);
    if (level !== null) {
      gateDb = Math.max(gateDb ?? -Infinity, level + ABOVE_BACKGROUND_DB);
      if (isFar(fromMs, toMs)) leastGateDb = Math.min(gateDb, level + ABOVE_FAR_DB);
    }
    keepBelowCaller();
    openUntilMs = -Infinity;
  }

  /** Voices that are too quiet to stop the agent and talk on while it speaks are background. */
  function heardFar(atMs: number): void {
    far ??= { fromMs: atMs - WINDOW_MS, voicedMs: 0 };
    far.voicedMs += WINDOW_MS;
    if (gateDb !== null || far.voicedMs < FAR_MS) return;
    learnBackground(far.fromMs, atMs);
  }

  return {
    get hasBackground() {
      return gateDb !== null;
    },
    get gateDb() {
      return gateDb;
    },
    get lateMs() {
      return gateDb === null ? 0 : SUSTAINED_MS;
    },
    tick: levels.tick,
    judge(probability, atMs, isOurTurn) {
      const leastDb = isOurTurn ? Math.max(gateDb ?? -Infinity, overUsDb()) : (gateDb ?? -Infinity);
      const isSustained = gateDb !== null || callerDb === null;
      const level = isSustained ? levelIn(atMs - SUSTAINED_MS, atMs, MIDDLE) : levelIn(atMs - WINDOW_MS, atMs, 1);
      if (leastDb > -Infinity && (level ?? -Infinity) >= leastDb) openUntilMs = atMs + OPEN_MS;
      const isOpen = leastDb === -Infinity || atMs <= openUntilMs;
      if (!isOurTurn) far = null;
      else if (!isOpen && probability >= VOICE) heardFar(atMs);
      return isOpen ? probability : 0;
    },
    learnBackground,
    learnCaller(fromMs, toMs) {
      callerDb = levelIn(fromMs, toMs, CALLER_SHARE) ?? callerDb;
      keepBelowCaller();
    },
    isFaint(fromMs, toMs) {
      if (callerDb === null) return isFar(fromMs, toMs);
      const level = levelIn(fromMs, toMs, LOUDEST_SHARE);
      return level !== null && level < callerDb - FAINT_DB;
    },
    fellSilentAt(fromMs, nowMs) {
      const tailFromMs = nowMs - TAIL_MS;
      if (tailFromMs - fromMs < 2 * HEAD_MS) return null;
      const share = 1 - HEAD_MS / Math.min(tailFromMs - fromMs, KEPT_MS);
      const head = levelIn(fromMs, tailFromMs, share);
      const tail = levelIn(tailFromMs, nowMs, LOUDEST_SHARE);
      return head !== null && tail !== null && tail < head - FELL_DB ? tailFromMs + WORD_END_MS : null;
    },
    giveWay() {
      if (gateDb !== null) gateDb = Math.max(gateDb - GIVE_WAY_DB, leastGateDb);
    },
  };
}
