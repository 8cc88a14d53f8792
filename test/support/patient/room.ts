// The room that a patient speaks in: noise around their words, as loud as it is to be, from a seed.
import { randomFrom } from "../sounds.ts";

const SAMPLE_RATE_HZ = 8_000;
/** Speech, whose pauses are not counted in its level. */
const QUIET = 200;

export interface Room {
  /** Between words and noise; null: a quiet room. */
  noiseDb: number | null;
  /** Of the packets of audio, in each direction; 0 to 1. */
  lossShare: number;
  seed: number;
}

/** `quiet`, `loss` (3 % of the packets), or how many decibels the voice is louder than the room. */
export function roomNamed(name: string, seed: number): Room {
  const decibels = Number(name);
  if (name === "quiet") return { noiseDb: null, lossShare: 0, seed };
  if (name === "loss") return { noiseDb: null, lossShare: 0.03, seed };
  if (Number.isNaN(decibels)) throw new Error(`There is no room ${name}: quiet, loss, or decibels.`);
  return { noiseDb: decibels, lossShare: 0, seed };
}

/** The words, and then the room alone for so many seconds. The noise is that of a fan and of people far away: weaker with height. */
export function inRoom(words: Int16Array, { noiseDb, seed }: Room, secondsAfter: number): Int16Array {
  const all = new Int16Array(words.length + Math.round(secondsAfter * SAMPLE_RATE_HZ));
  all.set(words);
  if (noiseDb === null) return all;
  const random = randomFrom(seed);
  const noise = new Float32Array(all.length);
  let brown = 0;
  let power = 0;
  for (let i = 0; i < noise.length; i++) {
    brown = 0.85 * brown + (random() - 0.5);
    noise[i] = brown + 0.2 * (random() - 0.5);
    power += (noise[i] ?? 0) ** 2;
  }
  const gain = activeRms(words) / 10 ** (noiseDb / 20) / Math.sqrt(power / noise.length);
  for (let i = 0; i < all.length; i++) {
    all[i] = Math.max(-32_768, Math.min(32_767, Math.round((all[i] ?? 0) + (noise[i] ?? 0) * gain)));
  }
  return all;
}

function activeRms(samples: Int16Array): number {
  let sum = 0;
  let count = 0;
  for (const sample of samples) {
    if (Math.abs(sample) < QUIET) continue;
    sum += sample ** 2;
    count++;
  }
  return count === 0 ? 1_000 : Math.sqrt(sum / count);
}
