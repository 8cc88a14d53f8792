// A sample between two others, for sound of 8 kHz that is to be said at 16 kHz: band-limited, so that nothing is heard
// above 4 kHz that was not in it.
import { kaiser, sinc } from "./kaiser.ts";

/** 24 values to both sides: what mirrors the telephone band (up to 3.4 kHz) lies above 4.6 kHz, and is 60 dB down there. */
const REACH = 24;
/** Kaiser's shape for 60 dB. */
const BETA = 5.65;

/** The share of the sample `i` places from the middle, on either side; together they are one half. */
const SHARES = shares();

/** Halfway from `samples[at]` to the next. Beyond both ends all is silent. */
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
