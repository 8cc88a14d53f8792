// Draws values from fast-check's arbitraries; deterministic for a seed.
import fc from "fast-check";

export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

export function drawFrom(seed: number): Draw {
  const [next] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (!next) throw new Error("fast-check drew nothing.");
  return (arbitrary) => next(() => arbitrary);
}

export function oneOf<T>(draw: Draw, choices: readonly T[]): T {
  return draw(fc.constantFrom(...choices));
}

/** True about once in `times`. */
export const rarely = (draw: Draw, times: number): boolean =>
  oneOf(
    draw,
    Array.from({ length: times }, (_, at) => at),
  ) === 0;

export const wholeNumber = (draw: Draw, min: number, max: number): number => draw(fc.noBias(fc.integer({ min, max })));

/** A distinct seed per index, far from its neighbours (the finaliser of MurmurHash3). */
export function seedOf(seed: number, lane: number, index: number): number {
  let mixed = (seed ^ Math.imul(lane + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}
