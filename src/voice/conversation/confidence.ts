// How sure an intent must be to count.
import type { Intent, Meaning } from "../understanding/meaning.ts";

/** From here on it was said; below, it may have been. */
export const SURE = 0.8;
export const LIKELY = 0.45;

export const confidenceIn = ({ intents }: Meaning, intent: Intent): number =>
  intents.find((each) => each.intent === intent)?.confidence ?? 0;
