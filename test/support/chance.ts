// Chance in tests comes from the run's seed, so that a run can be repeated: ./scripts/test --seed 7
import { seed } from "./seed.ts";
import { randomFrom } from "./sounds.ts";

/** 0 to 1, like Math.random; the same row of numbers for one name and seed. */
export const chanceOf = (name: string): (() => number) => randomFrom(Bun.hash.crc32(`${seed} ${name}`));
