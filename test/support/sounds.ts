// Sounds for calls, made from a seed: as loud, as pitched and as interrupted as speech, and never the same twice.
import { pcmWav as wavOf } from "../../src/audio/pcm-wav.ts";

export const SAMPLE_RATE_HZ = 8_000;
const SYLLABLE_SECONDS = 0.18;
const LOUDEST = 12_000;

/** The same seed gives the same words; another seed gives words that have nothing in common with them. */
export function speechLike(seconds: number, seed: number): Int16Array<ArrayBuffer> {
  const random = randomFrom(seed);
  const samples = new Int16Array(Math.round(seconds * SAMPLE_RATE_HZ));
  const syllableSamples = Math.round(SYLLABLE_SECONDS * SAMPLE_RATE_HZ);
  for (let from = 0; from < samples.length; from += syllableSamples) {
    const isPause = random() < 0.1;
    if (!isPause) syllable(samples.subarray(from, from + syllableSamples), random);
  }
  return samples;
}

/** A gliding voice with two formants and some breath, swelling and fading. */
function syllable(into: Int16Array, random: () => number): void {
  const pitchHz = 110 + random() * 120;
  const glideHz = (random() - 0.5) * 120;
  const formantsHz = [350 + random() * 500, 1_100 + random() * 1_400];
  const breath = random() * 0.4;
  let phase = 0;
  for (let i = 0; i < into.length; i++) {
    const share = i / into.length;
    const hertz = pitchHz + glideHz * share;
    phase += (2 * Math.PI * hertz) / SAMPLE_RATE_HZ;
    let voice = 0;
    for (let harmonic = 1; harmonic * hertz < 3_200; harmonic++) {
      const strength = formantsHz.reduce(
        (sum, formant) => sum + 1 / (1 + ((harmonic * hertz - formant) / 180) ** 2),
        0,
      );
      voice += strength * Math.sin(phase * harmonic);
    }
    const loudness = 0.25 + 0.75 * Math.sin(Math.PI * share);
    into[i] = Math.round(LOUDEST * loudness * Math.tanh(voice * 0.35 + breath * (random() - 0.5)));
  }
}

/** Enough that a word which one stall of the machine swallows is heard another time. */
const TIMES_OVER = 3;

/** The words again and again, as one says them on a bad line. */
export function saidOver(words: Int16Array, times = TIMES_OVER): Int16Array<ArrayBuffer> {
  const all = new Int16Array(words.length * times);
  for (let i = 0; i < times; i++) all.set(words, i * words.length);
  return all;
}

/** The one with the seconds of silence after it. */
export function thenSilence(samples: Int16Array, seconds: number): Int16Array<ArrayBuffer> {
  const longer = new Int16Array(samples.length + Math.round(seconds * SAMPLE_RATE_HZ));
  longer.set(samples);
  return longer;
}

/** Mono, 16 bits. */
export function pcmWav(samples: Int16Array, rateHz = SAMPLE_RATE_HZ): Buffer {
  return wavOf(samples, rateHz);
}

/** What another program recorded: mono, 16 bits. A file that is still being written gives what there is. */
export function readPcmWav(bytes: Buffer): Int16Array {
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "data") {
      const end = size === 0 ? bytes.length : Math.min(bytes.length, at + 8 + size);
      return Int16Array.from({ length: (end - at - 8) >> 1 }, (_, i) => bytes.readInt16LE(at + 8 + i * 2));
    }
    at += 8 + size + (size % 2);
  }
  return new Int16Array(0);
}

/** xorshift32: 0 to 1, the same row of numbers from the same seed. */
export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
