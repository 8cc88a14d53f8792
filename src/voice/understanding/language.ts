// Port of a language for understanding.
import type { Expecting, Intent } from "./meaning.ts";

/** Intents of a pattern. An empty set means nothing, and hides the matched words from later rules. */
export interface IntentRule {
  says: () => RegExp;
  means: Readonly<Partial<Record<Intent, number>>>;
  /** Confidence for words that are an answer at the start ("Right, I will") but not in a long sentence. */
  inside?: number;
  /** Only in these questions; without it, in all. */
  asked?: readonly Expecting[];
}

/** Markers of words that are not an answer. */
export interface NotMeant {
  /** "Pretend that …": applies to all that follows, because its end is unknown. */
  imagined: RegExp;
  /** "She said …": applies up to the end of the clause. */
  quoted: RegExp;
  /** "…, said the radio": applies to everything before it. */
  quotedBefore?: RegExp;
}

/** Patterns that make an answer uncertain, for the output of plain-words.ts. */
export interface Hedges {
  /** Conditions, guesses, questions, jokes: weaken both yes and no. */
  both: readonly RegExp[];
  /** "Yes, but …", "Yes, I got your message": weaken a yes only. */
  yes: readonly RegExp[];
  /** Whether the last words are a tag question. */
  tag(words: string): boolean;
}

export interface Language {
  /** In order; each consumes what it matched. */
  rules: readonly IntentRule[];
  /** Openings of questions: a yes or no inside them is weak. */
  question: RegExp | null;
  notMeant: NotMeant;
  hedges: Hedges;
  /** Normalises the spelling for the rules. */
  respelt(words: string): string;
  /** Translates words for days, times and numbers to the English read by moments/. */
  inEnglishDates(words: string): string;
}
