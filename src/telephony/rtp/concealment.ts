// What is heard where audio is missing: the voice goes on in its own pitch and fades, instead of a click and a hole.
// The idea is G.711's appendix I, without its delay: what was played stays as it was, and the joint is bent to fit.
// Samples are of 8 kHz, or of 16 in a wideband call.
import { SAMPLES_PER_MS } from "./rtp.ts";

/** What it wants to know of the past: the longest period twice, and the stretch that is compared. */
export const CONCEALMENT_HISTORY_MS = 60;
export const CONCEALMENT_HISTORY_SAMPLES = CONCEALMENT_HISTORY_MS * SAMPLES_PER_MS;
/** 200 Hz down to 42 Hz; a higher voice is found by several of its periods. */
const SHORTEST_PERIOD_MS = 5;
const LONGEST_PERIOD_MS = 24;
const COMPARED_MS = 10;
/** 10 ms at full strength, then less and less until 60 ms: longer than that, a guess is no better than silence. */
const FULL_MS = 10;
const SILENT_AFTER_MS = 60;
const REJOIN_MS = 5;

export interface Concealer {
  /** Audio is missing after this, the newest sample last. */
  begin(history: Int16Array): void;
  /** Makes up `into[from … to)`. False where it was all silence by then. */
  extend(into: Int16Array, from: number, to: number): boolean;
  /** Audio is there again from `into[from]` on: its first 5 ms are blended with what would have gone on. Up to where
   * it was changed. */
  rejoin(into: Int16Array, from: number): number;
}

export function createConcealer(samplesPerMs = SAMPLES_PER_MS): Concealer {
  const full = FULL_MS * samplesPerMs;
  const silentAfter = SILENT_AFTER_MS * samplesPerMs;
  const rejoinSamples = REJOIN_MS * samplesPerMs;
  const cycle = new Float32Array(LONGEST_PERIOD_MS * samplesPerMs);
  let period = SHORTEST_PERIOD_MS * samplesPerMs;
  /** A hiss that is repeated becomes a buzz: the less the past was like itself, the softer it goes on. */
  let likeness = 0;
  /** How far the first sample of the cycle is off the last that was played; it is led back over a quarter period. */
  let step = 0;
  let position = silentAfter;

  const bend = () => Math.max(1, period >> 2);

  function next(): number {
    const at = position++;
    if (at >= silentAfter) return 0;
    const left = Math.max(0, 1 - (at + 1) / bend());
    const strength = Math.min(1, (silentAfter - at) / (silentAfter - full));
    return strength * (Math.max(left, likeness) * (cycle[at % period] ?? 0) + step * left);
  }

  return {
    begin(history) {
      const end = history.length;
      ({ period, likeness } = pitchOf(history, samplesPerMs));
      for (let i = 0; i < period; i++) cycle[i] = history[end - period + i] ?? 0;
      // The end of a period is led over to what stood before its beginning, so that it goes round without a seam.
      const quarter = bend();
      for (let i = 1; i <= quarter; i++) {
        const share = i / quarter;
        const at = period - quarter + i - 1;
        cycle[at] = (1 - share) * (cycle[at] ?? 0) + share * (history[end - period - quarter + i - 1] ?? 0);
      }
      step = (history[end - 1] ?? 0) - (history[end - period - 1] ?? 0);
      position = 0;
    },
    extend(into, from, to) {
      const sounds = position < silentAfter;
      for (let i = from; i < to; i++) into[i] = clipped(next());
      return sounds;
    },
    rejoin(into, from) {
      const to = position < silentAfter ? Math.min(into.length, from + rejoinSamples) : from;
      for (let i = from; i < to; i++) {
        const share = (i - from + 1) / (rejoinSamples + 1);
        into[i] = clipped(share * (into[i] ?? 0) + (1 - share) * next());
      }
      position = silentAfter;
      return to;
    },
  };
}

/**
 * The shift at which the newest stretch is most like an earlier one, and how like it is, 0 to 1. Every second sample at
 * every second shift finds where to look, an eighth of the work: audio is missing in many calls at once when a network
 * falters.
 */
function pitchOf(history: Int16Array, samplesPerMs: number): Pitch {
  const [shortest, longest] = [SHORTEST_PERIOD_MS * samplesPerMs, LONGEST_PERIOD_MS * samplesPerMs];
  const compared = COMPARED_MS * samplesPerMs;
  const roughly = likestPeriod(history, compared, { from: shortest, to: longest, step: 2 });
  const near = { from: Math.max(shortest, roughly.period - 1), to: Math.min(longest, roughly.period + 1), step: 1 };
  return likestPeriod(history, compared, near);
}

interface Pitch {
  period: number;
  likeness: number;
}

/** `step`: of the shifts that are tried, and of the samples that are compared. */
function likestPeriod(
  history: Int16Array,
  compared: number,
  { from, to, step }: { from: number; to: number; step: number },
): Pitch {
  const begin = history.length - compared;
  let newestPower = 1;
  for (let i = begin; i < history.length; i += step) newestPower += (history[i] ?? 0) ** 2;
  const best = { period: from, likeness: 0 };
  for (let period = from; period <= to; period += step) {
    let product = 0;
    let power = 1;
    for (let i = begin; i < history.length; i += step) {
      const earlier = history[i - period] ?? 0;
      product += (history[i] ?? 0) * earlier;
      power += earlier * earlier;
    }
    const likeness = product / Math.sqrt(power * newestPower);
    if (likeness <= best.likeness) continue;
    best.period = period;
    best.likeness = likeness;
  }
  return best;
}

function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}
