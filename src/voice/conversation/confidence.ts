// Confidence thresholds for intents.
import type { Intent, Meaning } from "../understanding/meaning.ts";

/** At SURE and above an intent counts as said; between LIKELY and SURE it may have been said. */
export const SURE = 0.8;
export const LIKELY = 0.45;

export const confidenceIn = ({ intents }: Meaning, intent: Intent): number =>
  intents.find((each) => each.intent === intent)?.confidence ?? 0;

/** A conditional yes: "Yes, if my son can drive me." */
export const isHedgedYes = ({ intents }: Meaning): boolean =>
  intents.some(({ intent, isHedged }) => intent === "yes" && isHedged === true);

const THANKS = /\bthank|धन्यवाद|शुक्रिया|\bdhanyava|\bshukri/i;

/**
 * Reply to "Was that a yes?". A second likely yes confirms the first unless it is hedged; repeating the same answer
 * confirms it too. A bare no to "Was that a no?" is ambiguous; "No, thank you" confirms the no.
 */
export function isAgreed({ intent }: { intent: Intent }, meaning: Meaning): boolean {
  const [yes, no] = [confidenceIn(meaning, "yes"), confidenceIn(meaning, "no")];
  if (yes >= SURE) return true;
  if (isHedgedYes(meaning)) return false;
  if (intent === "no" && no >= LIKELY && yes < LIKELY && THANKS.test(meaning.text)) return true;
  return no < LIKELY && (yes >= LIKELY || (intent !== "no" && confidenceIn(meaning, intent) >= LIKELY));
}
