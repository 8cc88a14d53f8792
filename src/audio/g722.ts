// ITU-T G.722 encoder and decoder at 64 kbit/s: 16 kHz in one byte per two samples, so a 20 ms frame is as long as with
// G.711. Two bands of 4 kHz are coded separately, with six bits for the lower and two for the higher one.
import { G722Band, HIGH_BAND, LOW_BAND, saturated } from "./g722-band.ts";
import {
  BAND_FILTER,
  HIGH_LEVEL,
  HIGH_TWO_BIT,
  LOW_CODES_DOWN,
  LOW_CODES_UP,
  LOW_LEVELS,
  LOW_SIX_BIT,
} from "./g722-tables.ts";

export const G722_SAMPLE_RATE_HZ = 16_000;
/** Fill byte for gaps: the smallest step in both bands, which fades to -55 dB. G.722 has no byte for silence. */
export const G722_SILENCE = 0xff;

const TAPS = BAND_FILTER.length * 2;
/** Two of the filter's 24 values are new each time. */
const KEPT = TAPS - 2;

export interface G722Encoder {
  /**
   * One byte per two samples; an odd last sample is kept for the next call. `low`, if given, receives the lower band:
   * the same audio at 8 kHz. Returns the number of bytes.
   */
  encode(samples: Int16Array, into: Uint8Array, low?: Int16Array): number;
}

export interface G722Decoder {
  /** Two samples per byte; `low` as in the encoder. */
  decode(bytes: Uint8Array, into: Int16Array, low?: Int16Array): void;
}

export function createG722Encoder(): G722Encoder {
  const lower = new G722Band(LOW_BAND);
  const higher = new G722Band(HIGH_BAND);
  let window = new Int32Array(KEPT);
  let filled = KEPT;

  return {
    encode(samples, into, low) {
      window = withRoomFor(window, filled + samples.length);
      window.set(samples, filled);
      filled += samples.length;
      const pairs = (filled - KEPT) >> 1;
      for (let pair = 0; pair < pairs; pair++) {
        let even = 0;
        let odd = 0;
        for (let i = 0, at = pair * 2; i < BAND_FILTER.length; i++, at += 2) {
          even += (window[at] ?? 0) * (BAND_FILTER[i] ?? 0);
          odd += (window[at + 1] ?? 0) * (BAND_FILTER[BAND_FILTER.length - 1 - i] ?? 0);
        }
        // Divides by 4,096 for the filter gain, by 2 for the sum, and by 2 because bands use 15 bits.
        const below = (even + odd) >> 14;
        if (low) low[pair] = saturated(below * 2);
        into[pair] = (encodeHigh(higher, (odd - even) >> 14) << 6) | encodeLow(lower, below);
      }
      window.copyWithin(0, pairs * 2, filled);
      filled -= pairs * 2;
      return pairs;
    },
  };
}

function encodeLow(band: G722Band, sample: number): number {
  const error = saturated(sample - band.prediction);
  const magnitude = error < 0 ? -error - 1 : error;
  // Searches the first of thirty ascending levels above it.
  let level = 1;
  let beyond = LOW_LEVELS.length;
  while (level < beyond) {
    const middle = (level + beyond) >> 1;
    if (magnitude < ((LOW_LEVELS[middle] ?? 0) * band.step) >> 12) beyond = middle;
    else level = middle + 1;
  }
  const code = (error < 0 ? LOW_CODES_DOWN[level] : LOW_CODES_UP[level]) ?? 0;
  band.follow(code >> 2);
  return code;
}

function encodeHigh(band: G722Band, sample: number): number {
  const error = saturated(sample - band.prediction);
  const isFar = (error < 0 ? -error - 1 : error) >= (HIGH_LEVEL * band.step) >> 12;
  const code = (error < 0 ? 0 : 2) + (isFar ? 0 : 1);
  band.follow(code);
  return code;
}

export function createG722Decoder(): G722Decoder {
  const lower = new G722Band(LOW_BAND);
  const higher = new G722Band(HIGH_BAND);
  let window = new Int32Array(KEPT);

  return {
    decode(bytes, into, low) {
      window = withRoomFor(window, KEPT + bytes.length * 2);
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] ?? 0;
        const below = decodeBand(lower, LOW_SIX_BIT[byte & 0x3f] ?? 0, (byte & 0x3f) >> 2);
        const above = decodeBand(higher, HIGH_TWO_BIT[byte >> 6] ?? 0, byte >> 6);
        if (low) low[i] = below * 2;
        const at = KEPT + i * 2;
        window[at] = below + above;
        window[at + 1] = below - above;
      }
      for (let i = 0; i < bytes.length; i++) {
        let first = 0;
        let second = 0;
        for (let tap = 0, at = i * 2; tap < BAND_FILTER.length; tap++, at += 2) {
          second += (window[at] ?? 0) * (BAND_FILTER[tap] ?? 0);
          first += (window[at + 1] ?? 0) * (BAND_FILTER[BAND_FILTER.length - 1 - tap] ?? 0);
        }
        into[i * 2] = saturated(first >> 11);
        into[i * 2 + 1] = saturated(second >> 11);
      }
      window.copyWithin(0, bytes.length * 2, KEPT + bytes.length * 2);
    },
  };
}

/** 15 bits, as limited by the standard. */
function decodeBand(band: G722Band, meaning: number, code: number): number {
  const value = band.prediction + ((band.step * meaning) >> 15);
  band.follow(code);
  return value > 16_383 ? 16_383 : value < -16_384 ? -16_384 : value;
}

/** Grows to the longest frame seen, and never shrinks. */
function withRoomFor(window: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (window.length >= length) return window;
  const larger = new Int32Array(length);
  larger.set(window);
  return larger;
}
