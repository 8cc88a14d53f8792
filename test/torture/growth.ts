// Detects growth over time, as a pure function from evenly spaced samples to a verdict. The first third is warm-up for
// caches and compilation; the middle third is compared with the last.

export interface Measure {
  name: string;
  unit: string;
  samples: readonly number[];
  /** More than this, from the middle third to the last, is growth. */
  most: (middle: number) => number;
}

export interface Growth {
  name: string;
  unit: string;
  first: number;
  middle: number;
  last: number;
  grown: number;
  most: number;
  holds: boolean;
}

/** Of each third its median, so that one sample in a bad moment says nothing. */
export function growthOf({ name, unit, samples, most }: Measure): Growth {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const first = median(samples.slice(0, third));
  const middle = median(samples.slice(third, 2 * third));
  const last = median(samples.slice(-third));
  const grown = last - middle;
  return { name, unit, first, middle, last, grown, most: most(middle), holds: grown <= most(middle) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [upper = 0, lower = upper] = [sorted[half], sorted[half - 1]];
  return sorted.length % 2 === 1 ? upper : (upper + lower) / 2;
}
