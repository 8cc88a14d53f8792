// Speaking rate of the voice.

/** `slow`: when the callee asked for it. */
export type Pace = "usual" | "slow";

/**
 * Relative to the usual. A lower rate stretches words without making them clearer: of sixty clinic sentences
 * (scripts/voice-errors), as many words are recognised at 0.85 as at the usual rate.
 */
export const SPEED: Readonly<Record<Pace, number>> = { usual: 1, slow: 0.85 };
