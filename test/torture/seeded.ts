// Seeded random choices: the same seed gives the same choices in the same order.

export interface Chance {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  isBelow(share: number): boolean;
  shuffled<T>(from: readonly T[]): T[];
  /** Another row of choices that does not depend on how many this one has made so far. */
  branch(name: string): Chance;
}

/** Mulberry32: small, and good enough to choose a moment. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const chance: Chance = {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(from) {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) throw new Error("There is nothing to pick from.");
      return picked;
    },
    isBelow: (share) => next() < share,
    shuffled: (from) =>
      from
        .map((item) => ({ item, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item),
    branch: (name) => createChance(Bun.hash.crc32(`${seed} ${name}`)),
  };
  return chance;
}
