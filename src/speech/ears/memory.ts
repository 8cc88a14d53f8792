// Ring buffer with the last 30 s of a call's audio and its voice activity.
import { WINDOW_MS } from "./protocol.ts";

const SAMPLES_PER_MS = 8;
/** Longer than any utterance; endpointing ends a turn after three seconds of silence at the latest. */
const KEPT_MS = 30_000;
const KEPT_SAMPLES = KEPT_MS * SAMPLES_PER_MS;
const KEPT_WINDOWS = Math.floor(KEPT_MS / WINDOW_MS);
/** Padding around the words; more causes errors (9.9 % with 500 ms, 4.6 % with 100 ms). */
const MARGIN_MS = 100;
/** Silero's own threshold for silence. */
const VOICE = 0.35;

export interface EarMemory {
  readonly heardMs: number;
  readonly judgedMs: number;
  /** 20 ms of audio; copied. */
  hear(frame: Int16Array): void;
  judge(probability: number): void;
  /** The spoken part between two times, with padding; null without voice, or if overwritten. */
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
