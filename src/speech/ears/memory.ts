// The last half minute of one call: its sound, and where in it somebody spoke. Older sound is written over.
import { WINDOW_MS } from "./protocol.ts";

const SAMPLES_PER_MS = 8;
/** Nobody speaks longer in one go; a turn is cut after three seconds of silence at the latest. */
const KEPT_MS = 30_000;
const KEPT_SAMPLES = KEPT_MS * SAMPLES_PER_MS;
const KEPT_WINDOWS = Math.floor(KEPT_MS / WINDOW_MS);
/** The recogniser wants this much around the words: more makes it lose words (9.9 % errors with 500 ms, 4.6 with 100). */
const MARGIN_MS = 100;
/** As the detector's makers say: below it nobody speaks. */
const VOICE = 0.35;

export interface EarMemory {
  readonly heardMs: number;
  readonly judgedMs: number;
  /** 20 ms of sound; copied. */
  hear(frame: Int16Array): void;
  judge(probability: number): void;
  /** The spoken part between two moments, with a margin; null where nobody spoke, or it is too long ago. */
  spokenBetween(fromMs: number, toMs: number): Int16Array<ArrayBuffer> | null;
}

export function createEarMemory(): EarMemory {
  const sound = new Int16Array(KEPT_SAMPLES);
  const voices = new Float32Array(KEPT_WINDOWS);
  let samples = 0;
  let windows = 0;

  function cut(fromMs: number, toMs: number): Int16Array<ArrayBuffer> | null {
    const from = Math.max(0, samples - KEPT_SAMPLES, Math.round(fromMs * SAMPLES_PER_MS));
    const to = Math.min(samples, Math.round(toMs * SAMPLES_PER_MS));
    if (to <= from) return null;
    const piece = new Int16Array(to - from);
    for (let i = 0; i < piece.length; i++) piece[i] = sound[(from + i) % KEPT_SAMPLES] ?? 0;
    return piece;
  }

  return {
    get heardMs() {
      return samples / SAMPLES_PER_MS;
    },
    get judgedMs() {
      return windows * WINDOW_MS;
    },
    hear(frame) {
      for (const sample of frame) sound[samples++ % KEPT_SAMPLES] = sample;
    },
    judge(probability) {
      voices[windows++ % KEPT_WINDOWS] = probability;
    },
    spokenBetween(fromMs, toMs) {
      const oldest = Math.max(0, windows - KEPT_WINDOWS, Math.floor(fromMs / WINDOW_MS));
      const newest = Math.min(windows, Math.ceil(toMs / WINDOW_MS)) - 1;
      let [first, last] = [-1, -1];
      for (let window = oldest; window <= newest; window++) {
        if ((voices[window % KEPT_WINDOWS] ?? 0) < VOICE) continue;
        if (first === -1) first = window;
        last = window;
      }
      return first === -1 ? null : cut(first * WINDOW_MS - MARGIN_MS, (last + 1) * WINDOW_MS + MARGIN_MS);
    },
  };
}
