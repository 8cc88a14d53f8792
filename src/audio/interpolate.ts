// Band-limited interpolation from 8 kHz to 16 kHz: adds no frequencies above 4 kHz.
import { kaiser, sinc } from "./kaiser.ts";

/**
 * 24 samples to each side: images of the telephone band (up to 3.4 kHz) lie above 4.6 kHz and are attenuated by 60 dB.
 */
const REACH = 24;
/** Kaiser parameter for 60 dB. */
const BETA = 5.65;

/** Weight of the sample `i` places from the middle, on either side; the sum is one half. */
const SHARES = shares();

/** The value halfway between `samples[at]` and the next. Samples beyond the ends are zero. */
export function sampleBetween(samples: Int16Array, at: number): number {
  let sum = 0;
  for (let i = 0; i < REACH; i++) sum += (SHARES[i] ?? 0) * ((samples[at - i] ?? 0) + (samples[at + 1 + i] ?? 0));
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
}

function shares(): Float64Array {
  const raw = Float64Array.from({ length: REACH }, (_, i) => sinc(i + 0.5) * kaiser((i + 0.5) / REACH, BETA));
  const whole = raw.reduce((sum, share) => sum + share, 0);
  return raw.map((share) => share / whole / 2);
}
