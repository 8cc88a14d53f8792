// How sure an intent must be to count.
import type { Intent, Meaning } from "../understanding/meaning.ts";

/** From here on it was said; below, it may have been. */
export const SURE = 0.8;
export const LIKELY = 0.45;

export const confidenceIn = ({ intents }: Meaning, intent: Intent): number =>
  intents.find((each) => each.intent === intent)?.confidence ?? 0;

/** A yes that its own words hold back: "Yes, if my son can drive me." */
export const isHedgedYes = ({ intents }: Meaning): boolean =>
  intents.some(({ intent, isHedged }) => intent === "yes" && isHedged === true);

const THANKS = /\bthank|धन्यवाद|शुक्रिया|\bdhanyava|\bshukri/i;

/**
 * "Was that a yes?" A second likely one agrees with the first, unless its own words hold it back. So does the same answer once
 * more. A bare no to "Was that a no?" may deny it; "No, thank you" says it again.
 */
export function isAgreed({ intent }: { intent: Intent }, meaning: Meaning): boolean {
  const [yes, no] = [confidenceIn(meaning, "yes"), confidenceIn(meaning, "no")];
  if (yes >= SURE) return true;
  if (isHedgedYes(meaning)) return false;
  if (intent === "no" && no >= LIKELY && yes < LIKELY && THANKS.test(meaning.text)) return true;
  return no < LIKELY && (yes >= LIKELY || (intent !== "no" && confidenceIn(meaning, intent) >= LIKELY));
}
