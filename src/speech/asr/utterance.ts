// A piece of a telephone call as the recogniser wants it: 16 kHz, and as loud as the speech it was trained on.
import { sampleBetween } from "../../audio/interpolate.ts";

const FULL_SCALE = 32_768;
/** The loudest sample afterwards. Quiet callers gain from it (see scripts/recogniser-errors); nobody loses. */
const PEAK = 0.6;
/** What is quieter than this is hardly a voice; to lift it further would make words of noise. */
const MOST_GAIN = 20;

/** From 8 kHz and 16 bits to 16 kHz between −1 and 1. */
export function forRecogniser(samples: Int16Array): Float32Array {
  const wide = new Float32Array(samples.length * 2);
  const gain = gainFor(samples) / FULL_SCALE;
  for (let i = 0; i < samples.length; i++) {
    wide[2 * i] = (samples[i] ?? 0) * gain;
    wide[2 * i + 1] = sampleBetween(samples, i) * gain;
  }
  return wide;
}

function gainFor(samples: Int16Array): number {
  let peak = 1;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return Math.min(MOST_GAIN, (PEAK * FULL_SCALE) / peak);
}
