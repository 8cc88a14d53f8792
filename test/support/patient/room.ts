// The room around a patient: background noise at a given level, by seed.
import { randomFrom } from "../sounds.ts";
import { activeRms, rms } from "./levels.ts";
import { television } from "./television.ts";

const SAMPLE_RATE_HZ = 8_000;

export interface Room {
  /** Between words and noise; null: a quiet room. */
  noiseDb: number | null;
  /** What the noise is; a fan and people far away where nothing is said. */
  noise?: "fan" | "television";
  /** Of the packets of audio, in each direction; 0 to 1. */
  lossShare: number;
  seed: number;
}

const TELEVISION_DB = 10;

/**
 * `quiet`, `loss` (3 % of the packets), `television` (four voices, 10 dB below the patient's), or how many decibels the
 * voice is louder than the room.
 */
export function roomNamed(name: string, seed: number): Room {
  const decibels = Number(name);
  if (name === "quiet") return { noiseDb: null, lossShare: 0, seed };
  if (name === "loss") return { noiseDb: null, lossShare: 0.03, seed };
  if (name === "television") return { noiseDb: TELEVISION_DB, noise: "television", lossShare: 0, seed };
  if (Number.isNaN(decibels)) throw new Error(`There is no room ${name}: quiet, loss, television, or decibels.`);
  return { noiseDb: decibels, lossShare: 0, seed };
}

/** The words, and then the room alone for so many seconds. */
export function inRoom(words: Int16Array, { noiseDb, noise, seed }: Room, secondsAfter: number): Int16Array {
  const all = new Int16Array(words.length + Math.round(secondsAfter * SAMPLE_RATE_HZ));
  all.set(words);
  if (noiseDb === null) return all;
  const around = noise === "television" ? television(all.length, seed) : fan(all.length, seed);
  const gain = activeRms(words) / 10 ** (noiseDb / 20);
  for (let i = 0; i < all.length; i++) {
    all[i] = Math.max(-32_768, Math.min(32_767, Math.round((all[i] ?? 0) + (around[i] ?? 0) * gain)));
  }
  return all;
}

/** A fan and people far away: weaker with height. Its level is 1. */
function fan(length: number, seed: number): Float32Array {
  const random = randomFrom(seed);
  let brown = 0;
  const noise = Float32Array.from({ length }, () => {
    brown = 0.85 * brown + (random() - 0.5);
    return brown + 0.2 * (random() - 0.5);
  });
  const level = rms(noise);
  return noise.map((sample) => sample / level);
}
