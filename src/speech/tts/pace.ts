// How fast the voice speaks.

/** `slow`: for whoever asked for it. */
export type Pace = "usual" | "slow";

/**
 * As a share of the usual. Slower than this the words are drawn out more than they are clear: of the sixty clinic sentences
 * (scripts/voice-errors) as many words are recognised at 0.85 as at the usual pace.
 */
export const SPEED: Readonly<Record<Pace, number>> = { usual: 1, slow: 0.85 };
