// What a language brings along to be understood.
import type { Expecting, Intent } from "./meaning.ts";

/** What somebody means by saying one of the phrases. No intents: it means nothing, and hides its words from later rules. */
export interface IntentRule {
  says: RegExp;
  means: Readonly<Partial<Record<Intent, number>>>;
  /** Only where this was asked; after anything without it. */
  asked?: readonly Expecting[];
}

export interface Language {
  /** First to last; each takes what it read out of the text. */
  rules: readonly IntentRule[];
  /** Writes its words for days and times in the English ones that moments/ reads. */
  inEnglishDates(words: string): string;
}
