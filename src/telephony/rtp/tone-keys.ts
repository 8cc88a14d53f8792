// In-band DTMF detection, for peers without telephone-event: each key is two frequencies (ITU-T Q.23), detected with
// Goertzel filters. Speech contains many pairs of frequencies, so a key must be pure, balanced and steady.
import { SAMPLES_PER_MS } from "./rtp.ts";

const ROWS_HZ = [697, 770, 852, 941] as const;
const COLUMNS_HZ = [1_209, 1_336, 1_477, 1_633] as const;
const KEYS = ["123A", "456B", "789C", "*0#D"] as const;
const RATE_HZ = SAMPLES_PER_MS * 1_000;
/** 12.75 ms: short enough that three fit into 50 ms, long enough to distinguish 697 Hz from 770 Hz. */
const BLOCK_SAMPLES = 102;
/** Consecutive blocks that start and end a key. Q.24 requires 40 ms; exchanges send 60 ms and more. */
const BLOCKS_TO_BEGIN = 3;
const BLOCKS_TO_END = 3;
/**
 * Root mean square of both tones together, full scale 32,767: about -36 dBm0. Anything softer is the echo of a key
 * elsewhere.
 */
const SOFTEST = 250;
/**
 * Power ratios. High tones may be up to 4 dB above the low ones, or 8 dB below: lines attenuate high frequencies
 * (Q.24).
 */
const MOST_COLUMN_OVER_ROW = 2.5;
const MOST_ROW_OVER_COLUMN = 6.3;
/** The tone must be 8 dB above every other frequency of its group. */
const OVER_OTHERS = 6.3;
/** Share of the total energy in the two tones: speech spreads over far more frequencies. */
const PURE_SHARE = 0.7;

export interface ToneKeys {
  /** The key that was pressed within these samples; null if none was. */
  hear(samples: Int16Array): string | null;
}

const coefficient = (hertz: number) => 2 * Math.cos((2 * Math.PI * hertz) / RATE_HZ);
const ROW_COEFFICIENTS = ROWS_HZ.map(coefficient);
const COLUMN_COEFFICIENTS = COLUMNS_HZ.map(coefficient);

export function createToneKeys(): ToneKeys {
  const block = new Float64Array(BLOCK_SAMPLES);
  let filled = 0;
  let seen: string | null = null;
  let seenBlocks = 0;
  /** The key that is down and was reported. */
  let held: string | null = null;
  let otherBlocks = 0;

  function judge(key: string | null): string | null {
    seenBlocks = key !== null && key === seen ? seenBlocks + 1 : 1;
    seen = key;
    if (key === held) otherBlocks = 0;
    else if (++otherBlocks >= BLOCKS_TO_END) held = null;
    if (key === null || key === held || seenBlocks < BLOCKS_TO_BEGIN) return null;
    held = key;
    otherBlocks = 0;
    return key;
  }

  return {
    hear(samples) {
      let told: string | null = null;
      for (const sample of samples) {
        block[filled++] = sample;
        if (filled < BLOCK_SAMPLES) continue;
        filled = 0;
        told = judge(keyIn(block)) ?? told;
      }
      return told;
    },
  };
}

function keyIn(block: Float64Array): string | null {
  let energy = 0;
  for (const sample of block) energy += sample * sample;
  if (energy < SOFTEST * SOFTEST * BLOCK_SAMPLES) return null;
  const rows = ROW_COEFFICIENTS.map((one) => power(block, one));
  const columns = COLUMN_COEFFICIENTS.map((one) => power(block, one));
  const row = strongest(rows);
  const column = strongest(columns);
  if (!row || !column) return null;
  if (column.power > row.power * MOST_COLUMN_OVER_ROW || row.power > column.power * MOST_ROW_OVER_COLUMN) return null;
  // A tone of amplitude A has the power (A·N/2)² in its filter and the energy N·A²/2 in the samples.
  if (row.power + column.power < PURE_SHARE * (BLOCK_SAMPLES / 2) * energy) return null;
  return KEYS[row.index]?.[column.index] ?? null;
}

/** Squared magnitude at one frequency. */
function power(block: Float64Array, factor: number): number {
  let [last, beforeLast] = [0, 0];
  for (const sample of block) {
    const next = sample + factor * last - beforeLast;
    beforeLast = last;
    last = next;
  }
  return last * last + beforeLast * beforeLast - factor * last * beforeLast;
}

/** Null if a second frequency comes close. */
function strongest(powers: readonly number[]): { index: number; power: number } | null {
  const most = Math.max(...powers);
  const index = powers.indexOf(most);
  const isAlone = powers.every((one, i) => i === index || one * OVER_OTHERS < most);
  return isAlone ? { index, power: most } : null;
}
