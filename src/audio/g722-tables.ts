// Tables of ITU-T G.722: quantisers, step sizes and the band-splitting filter.

/** One half of the symmetric 24-tap filter that splits and joins at 4 kHz; its gain is 4,096. */
export const BAND_FILTER = Int32Array.of(3, -11, 12, 32, -210, 951, 3_876, -805, 362, -156, 53, -11);

/** Decision levels of the lower band, in 1/4,096 of the step. */
// oxfmt-ignore
export const LOW_LEVELS = Int32Array.of(
  0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1_023, 1_121, 1_219,
  1_339, 1_458, 1_612, 1_765, 1_980, 2_195, 2_557, 2_919,
);

/** Six-bit code per decision level: positive and negative errors. */
export const LOW_CODES_UP = codes(61, 32);
export const LOW_CODES_DOWN = Int32Array.of(0, 63, 62, ...codes(31, 4).subarray(1));

/** Reconstruction level of each six-bit code, in 1/32,768 of the step. The first four codes are never sent. */
// oxfmt-ignore
const LOW_SIX_BIT_UP = [
  24_808, 21_904, 19_008, 16_704, 14_984, 13_512, 12_280, 11_192, 10_232, 9_360, 8_576, 7_856, 7_192, 6_576, 6_000,
  5_456, 4_944, 4_464, 4_008, 3_576, 3_168, 2_776, 2_400, 2_032, 1_688, 1_360, 1_040, 728,
];
export const LOW_SIX_BIT = Int32Array.from([
  -136,
  -136,
  -136,
  -136,
  ...LOW_SIX_BIT_UP.map((value) => -value),
  ...LOW_SIX_BIT_UP,
  432,
  136,
  -432,
  -136,
]);

/**
 * The same in four bits. Both sides predict from these, so that bits dropped by the network do not desynchronise them.
 */
const LOW_FOUR_BIT_UP = [20_456, 12_896, 8_968, 6_288, 4_240, 2_584, 1_200];
export const LOW_FOUR_BIT = Int32Array.from([0, ...LOW_FOUR_BIT_UP.map((value) => -value), ...LOW_FOUR_BIT_UP, 0]);

/** Step growth after each four-bit code, in 1/2,048 octave: large errors widen it, small ones narrow it. */
const LOW_GROWTH = [-60, 3_042, 1_198, 538, 334, 172, 58, -30];
export const LOW_STEP_GROWTH = Int32Array.from([...LOW_GROWTH, ...LOW_GROWTH.slice(1), -60]);

/** The higher band has two bits: the sign, and whether the error exceeds its only level. */
export const HIGH_LEVEL = 564;
export const HIGH_TWO_BIT = Int32Array.of(-7_408, -1_616, 7_408, 1_616);
export const HIGH_STEP_GROWTH = Int32Array.of(798, -214, 798, -214);

/** 2,048 × 2^(i/32): fractions of an octave. */
export const OCTAVE_FRACTIONS = Int32Array.from({ length: 32 }, (_, i) => Math.round(2_048 * 2 ** (i / 32)));

/** One code per level, counting down. */
function codes(from: number, to: number): Int32Array {
  return Int32Array.from({ length: from - to + 2 }, (_, i) => (i === 0 ? 0 : from + 1 - i));
}
