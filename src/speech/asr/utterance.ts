// Prepares telephone audio for the recogniser: 16 kHz, at the loudness of its training data.
import { sampleBetween } from "../../audio/interpolate.ts";

const FULL_SCALE = 32_768;
/** Peak after scaling. Improves recognition of quiet callers and harms no others (see scripts/recogniser-errors). */
const PEAK = 0.6;
/** Quieter audio is hardly a voice; more gain would turn noise into words. */
const MOST_GAIN = 20;

/** From 8 kHz, 16 bits, to 16 kHz between −1 and 1. */
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
