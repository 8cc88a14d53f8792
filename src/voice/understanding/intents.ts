// Which intents are in what was said.
import type { Hearing, LikelyIntent } from "./meaning.ts";

const YES = /\b(?:yes|yeah|yep|yup|sure|okay|ok|correct|that is right|of course|haan|ji)\b/;
const NO = /\b(?:no|nope|nah|nahi|not)\b/;

export function intentsOf(text: string, _hearing: Hearing): LikelyIntent[] {
  const words = text.toLowerCase();
  if (NO.test(words)) return [{ intent: "no", confidence: 0.9 }];
  if (YES.test(words)) return [{ intent: "yes", confidence: 0.9 }];
  return [];
}
