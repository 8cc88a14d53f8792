/** Of tests by properties, where no other is given. */
export const DEFAULT_SEED = 20_261_115;
