// Streaming resampler from any common rate to 8 kHz: a polyphase FIR filter that keeps its state between chunks, so
// that chunked audio has no seams.
import { G711_SAMPLE_RATE_HZ } from "./g711.ts";
import { kaiser, sinc } from "./kaiser.ts";

export const RESAMPLED_RATES_HZ = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;

/** The telephone band ends at 3.4 kHz; frequencies above 4 kHz would alias into it. */
const PASS_HZ = 3_400;
const STOP_HZ = 4_000;
const STOPBAND_DB = 60;

/** A low-pass filter, split into one short filter per phase between two input samples. */
interface Filter {
  /** Ratio of input to output rate is `down` to `up`. */
  up: number;
  down: number;
  tapsPerPhase: number;
  /** Phase by phase, each in input order, oldest first. */
  taps: Float32Array;
}

export interface Resampler {
  /** Output available so far; the last few milliseconds wait for more input. */
  push(samples: Int16Array | Float32Array): Int16Array;
  /** The rest. The total output is as long as the input, to one sample. */
  flush(): Int16Array;
}

/** Accepts 16-bit values as integers or fractions. Throws on an unlisted rate. */
export function createResampler(fromHz: number): Resampler {
  if (!RESAMPLED_RATES_HZ.some((rate) => rate === fromHz)) {
    throw new Error(
      `Audio of ${fromHz} Hz cannot be played; convert it to one of ${RESAMPLED_RATES_HZ.join(", ")} Hz.`,
    );
  }
  if (fromHz === G711_SAMPLE_RATE_HZ) return { push: rounded, flush: () => new Int16Array(0) };
  return createFirResampler(filterFor(fromHz));
}

function createFirResampler({ up, down, tapsPerPhase, taps }: Filter): Resampler {
  /** Output sample n is at input position n × down / up; the filter extends half its length to each side. */
  const lead = Math.floor(tapsPerPhase / 2);
  let held = new Float32Array(lead);
  /** Input index of held[0]. */
  let heldFrom = -lead;
  let received = 0;
  let given = 0;

  function produce(until: number): Int16Array {
    const count = Math.max(0, until - given);
    const out = new Int16Array(count);
    for (let i = 0; i < count; i++, given++) {
      const position = given * down;
      const phase = position % up;
      const from = (position - phase) / up - lead + 1 - heldFrom;
      const phaseFrom = phase * tapsPerPhase;
      let sum = 0;
      for (let tap = 0; tap < tapsPerPhase; tap++) sum += (taps[phaseFrom + tap] ?? 0) * (held[from + tap] ?? 0);
      out[i] = clamped(sum);
    }
    const keepFrom = Math.min(Math.max(0, Math.floor((given * down) / up) - lead + 1 - heldFrom), held.length);
    held = held.slice(keepFrom);
    heldFrom += keepFrom;
    return out;
  }

  return {
    push(samples) {
      const joined = new Float32Array(held.length + samples.length);
      joined.set(held);
      joined.set(samples, held.length);
      held = joined;
      received += samples.length;
      // The newest input that output n needs is floor(n × down / up) + tapsPerPhase − lead.
      return produce(Math.max(0, Math.ceil(((received - (tapsPerPhase - lead)) * up) / down)));
    },
    flush: () => produce(Math.round((received * up) / down)),
  };
}

const filters = new Map<number, Filter>();

function filterFor(fromHz: number): Filter {
  const known = filters.get(fromHz);
  if (known) return known;
  const divisor = greatestCommonDivisor(fromHz, G711_SAMPLE_RATE_HZ);
  const made = designFilter(fromHz, G711_SAMPLE_RATE_HZ / divisor, fromHz / divisor);
  filters.set(fromHz, made);
  return made;
}

/** Windowed sinc; Kaiser's formulas give length and shape for the required attenuation. */
function designFilter(fromHz: number, up: number, down: number): Filter {
  const transition = (2 * Math.PI * (STOP_HZ - PASS_HZ)) / fromHz;
  const length = Math.ceil((STOPBAND_DB - 8) / (2.285 * transition));
  const tapsPerPhase = length + (length % 2);
  const half = tapsPerPhase / 2;
  const beta = 0.1102 * (STOPBAND_DB - 8.7);
  const cutoff = (PASS_HZ + STOP_HZ) / fromHz; // twice the middle of the transition, as a share of the input rate
  const taps = new Float32Array(up * tapsPerPhase);
  for (let phase = 0; phase < up; phase++) {
    let gain = 0;
    for (let tap = 0; tap < tapsPerPhase; tap++) {
      const distance = tap - half + 1 - phase / up;
      const value = cutoff * sinc(cutoff * distance) * kaiser(distance / half, beta);
      taps[phase * tapsPerPhase + tap] = value;
      gain += value;
    }
    // Normalises each phase to unit DC gain; otherwise the output would hum at the phase rate.
    for (let tap = 0; tap < tapsPerPhase; tap++) {
      const at = phase * tapsPerPhase + tap;
      taps[at] = (taps[at] ?? 0) / gain;
    }
  }
  return { up, down, tapsPerPhase, taps };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function rounded(samples: Int16Array | Float32Array): Int16Array {
  return samples instanceof Int16Array ? samples.slice() : Int16Array.from(samples, clamped);
}

function clamped(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}
