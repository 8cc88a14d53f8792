// Confidence that an utterance contains one of the given intents, independent of the question before it.
import type { Intent } from "../understanding/meaning.ts";
import { understand } from "../understanding/understand.ts";

/** Said clearly; see understanding/meaning.ts. */
export const SURE = 0.8;

export function saysIn(text: string, language: string, intents: readonly Intent[]): number {
  const hearing = {
    expecting: "anything" as const,
    offers: [],
    today: "2000-01-01",
    nowTime: "12:00",
    lastOffered: null,
  };
  const found = understand(text, { ...hearing, language }).intents.filter(({ intent }) => intents.includes(intent));
  return Math.max(0, ...found.map(({ confidence }) => confidence));
}
