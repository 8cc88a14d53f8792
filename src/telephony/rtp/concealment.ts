// Packet loss concealment: continues the voice at its own pitch and fades out, instead of a click and a gap. Based on
// G.711 appendix I without its delay: played samples stay unchanged, and the transition is smoothed. Samples are at 8
// kHz, or 16 kHz in a wideband call.
import { SAMPLES_PER_MS } from "./rtp.ts";

/** History needed: twice the longest period, and the compared section. */
export const CONCEALMENT_HISTORY_MS = 60;
export const CONCEALMENT_HISTORY_SAMPLES = CONCEALMENT_HISTORY_MS * SAMPLES_PER_MS;
/** 200 Hz down to 42 Hz; a higher voice is matched by several of its periods. */
const SHORTEST_PERIOD_MS = 5;
const LONGEST_PERIOD_MS = 24;
const COMPARED_MS = 10;
/** Full level for 10 ms, then a fade until 60 ms: beyond that, a guess is no better than silence. */
const FULL_MS = 10;
const SILENT_AFTER_MS = 60;
const REJOIN_MS = 5;

export interface Concealer {
  /** Starts a gap after this history, newest sample last. */
  begin(history: Int16Array): void;
  /** Fills `into[from … to)`. False if it was all silence. */
  extend(into: Int16Array, from: number, to: number): boolean;
  /**
   * Audio resumes at `into[from]`: its first 5 ms are cross-faded with the concealment. Returns the end of the changed
   * part.
   */
  rejoin(into: Int16Array, from: number): number;
}

export function createConcealer(samplesPerMs = SAMPLES_PER_MS): Concealer {
  const full = FULL_MS * samplesPerMs;
  const silentAfter = SILENT_AFTER_MS * samplesPerMs;
  const rejoinSamples = REJOIN_MS * samplesPerMs;
  const cycle = new Float32Array(LONGEST_PERIOD_MS * samplesPerMs);
  let period = SHORTEST_PERIOD_MS * samplesPerMs;
  /** Repeated noise becomes a buzz: the lower the self-similarity of the history, the lower the level. */
  let likeness = 0;
  /** Offset of the cycle's first sample from the last played one; it is removed over a quarter period. */
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
      // Cross-fades the end of the period with the samples before its start, so that it loops without a click.
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
 * The shift with the highest similarity, and that similarity, 0 to 1. A coarse search over every second sample and
 * shift costs an eighth: a network problem causes loss in many calls at once.
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

/** `step`: of the shifts and of the compared samples. */
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
