// Compares received audio with sent audio: offset, similarity and gaps.

const RATE_HZ = 8_000;
/** 20 ms: what one lost packet takes away. */
const FRAME_SAMPLES = 160;
/**
 * A frame quieter than this is a pause, and its loss is inaudible. Root mean square; full scale is 32,767.
 */
const AUDIBLE = 200;
/** G.711 leaves about 1 % of a frame's power as noise, which is 0.995; a frame that is silent or another's is at 0. */
const FRAME_IS_HEARD = 0.85;

export interface Match {
  /** 1 for the same sound, about 0 for two that have nothing in common. */
  correlation: number;
  /** How far into `heard` the sound begins. Negative where its beginning was not heard. */
  lagMs: number;
  /** Audible frames of 20 ms that did not arrive in their place. */
  gaps: number;
}

/**
 * The best place of `said` in `heard`, to the sample. Both are 16-bit samples at 8 kHz. A jitter buffer slips by a
 * frame when it gives one up or makes one up; what is moved by up to so many `slips` has arrived.
 */
export function correlate(heard: ArrayLike<number>, said: Int16Array, slips = 0): Match {
  const lag = finderIn(heard, said.length)(said);
  const correlation = correlationAt(heard, said, lag);
  const lags = Array.from({ length: 2 * slips + 1 }, (_, i) => lag + (i - slips) * FRAME_SAMPLES);
  return { correlation, lagMs: (lag * 1_000) / RATE_HZ, gaps: missingFrames(heard, said, lags) };
}

/** How alike the two are where `said` begins at this sample of `heard`. */
function correlationAt(heard: ArrayLike<number>, said: ArrayLike<number>, lag: number): number {
  let [product, heardPower, saidPower] = [0, 0, 0];
  for (let i = 0; i < said.length; i++) {
    const [ours, theirs] = [said[i] ?? 0, heard[lag + i] ?? 0];
    product += ours * theirs;
    saidPower += ours * ours;
    heardPower += theirs * theirs;
  }
  return product / Math.sqrt(heardPower * saidPower || 1);
}

/** A second: what lies between two slips of a jitter buffer, and enough to be found. */
const PIECE_BETWEEN_SLIPS = RATE_HZ;
/** No jitter buffer holds more. */
const LONGEST_LAG_SAMPLES = RATE_HZ / 2;

export interface PiecewiseMatch {
  /** Of all pieces, the loud ones counting for more. */
  correlation: number;
  gaps: number;
  shortestLagMs: number;
  longestLagMs: number;
}

/**
 * As `correlate`, a second at a time: a jitter buffer that became longer or shorter moves what follows, which is no
 * loss.
 * `heard` begins when `said` does.
 */
export function correlateInPieces(heard: Int16Array, said: Int16Array): PiecewiseMatch {
  let [alike, power, gaps] = [0, 0, 0];
  const lags: number[] = [];
  for (let from = 0; from + PIECE_BETWEEN_SLIPS <= said.length; from += PIECE_BETWEEN_SLIPS) {
    const piece = said.subarray(from, from + PIECE_BETWEEN_SLIPS);
    const match = correlate(heard.subarray(from, from + PIECE_BETWEEN_SLIPS + LONGEST_LAG_SAMPLES), piece);
    const piecePower = piece.reduce((sum, sample) => sum + sample * sample, 0);
    alike += piecePower * match.correlation;
    power += piecePower;
    gaps += match.gaps;
    if (piecePower > AUDIBLE ** 2 * PIECE_BETWEEN_SLIPS) lags.push(match.lagMs);
  }
  const correlation = alike / (power || 1);
  return { correlation, gaps, shortestLagMs: Math.min(...lags), longestLagMs: Math.max(...lags) };
}

/**
 * Enough to tell that these words came through, on a machine that others keep busy; ./scripts/bench telephone counts
 * gaps.
 */
export const WELL_HEARD = 0.4;
/** A quarter of a second: long enough to be found, short enough that a stall tears few of them. */
const PIECE_SAMPLES = 2_000;
const PIECE_IS_HEARD = 0.8;

/**
 * How much of `said` was heard, piece by piece and wherever, from 0 to 1. Where the machine stands still for longer
 * than a jitter buffer holds, what follows comes later or not at all: no gap counts here, only what did arrive. Words
 * that are said over and over (`saidOver`) are heard in the end, however busy the machine.
 */
export function heardShare(heard: ArrayLike<number>, said: Int16Array): number {
  const pieces = Math.floor(said.length / PIECE_SAMPLES);
  const find = finderIn(heard, PIECE_SAMPLES);
  let found = 0;
  for (let i = 0; i < pieces; i++) {
    const piece = said.subarray(i * PIECE_SAMPLES, (i + 1) * PIECE_SAMPLES);
    if (correlationAt(heard, piece, find(piece)) >= PIECE_IS_HEARD) found++;
  }
  return pieces === 0 ? 0 : found / pieces;
}

function missingFrames(heard: ArrayLike<number>, said: Int16Array, lags: readonly number[]): number {
  let missing = 0;
  for (let from = 0; from + FRAME_SAMPLES <= said.length; from += FRAME_SAMPLES) {
    const frame = said.subarray(from, from + FRAME_SAMPLES);
    const power = frame.reduce((sum, sample) => sum + sample * sample, 0);
    const isAudible = Math.sqrt(power / FRAME_SAMPLES) > AUDIBLE;
    if (isAudible && !lags.some((lag) => correlationAt(heard, frame, lag + from) > FRAME_IS_HEARD)) missing++;
  }
  return missing;
}

/**
 * Finds where sounds of up to `longest` samples begin: the peak of the cross-correlation, by way of the frequency
 * domain, so that half a minute is searched at once.
 */
function finderIn(heard: ArrayLike<number>, longest: number): (said: ArrayLike<number>) => number {
  let size = 1;
  while (size < heard.length + longest) size *= 2;
  const a = spectrum(heard, size);
  return (said) => {
    const b = spectrum(said, size);
    // a × conjugate(b), conjugated, so that the forward transform serves as the inverse: the result is real.
    for (let i = 0; i < size; i++) {
      const [aRe, aIm, bRe, bIm] = [a.re[i]!, a.im[i]!, b.re[i]!, b.im[i]!];
      b.re[i] = aRe * bRe + aIm * bIm;
      b.im[i] = -(aIm * bRe - aRe * bIm);
    }
    transform(b.re, b.im);
    let best = 0;
    for (let i = 1; i < size; i++) if (b.re[i]! > b.re[best]!) best = i;
    return best < heard.length ? best : best - size;
  };
}

function spectrum(samples: ArrayLike<number>, size: number): { re: Float64Array; im: Float64Array } {
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  for (let i = 0; i < samples.length; i++) re[i] = samples[i] ?? 0;
  transform(re, im);
  return { re, im };
}

/** Radix-2 fast Fourier transform, in place; the length is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j]!, re[i]!];
    [im[i], im[j]] = [im[j]!, im[i]!];
  }
  for (let length = 2; length <= size; length *= 2) {
    const half = length / 2;
    for (let k = 0; k < half; k++) {
      const angle = (-2 * Math.PI * k) / length;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let i = k; i < size; i += length) {
        const re2 = re[i + half]! * cos - im[i + half]! * sin;
        const im2 = re[i + half]! * sin + im[i + half]! * cos;
        re[i + half] = re[i]! - re2;
        im[i + half] = im[i]! - im2;
        re[i] = re[i]! + re2;
        im[i] = im[i]! + im2;
      }
    }
  }
}
