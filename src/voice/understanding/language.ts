// What a language brings along to be understood.
import type { Expecting, Intent } from "./meaning.ts";

/** What somebody means by saying one of the phrases. No intents: it means nothing, and hides its words from later rules. */
export interface IntentRule {
  says: () => RegExp;
  means: Readonly<Partial<Record<Intent, number>>>;
  /** For words that answer when they come first ("Right, I will"), and are any word in the middle of a long sentence. */
  inside?: number;
  /** Only where this was asked; after anything without it. */
  asked?: readonly Expecting[];
}

/** Where words begin that nobody answers with. */
export interface NotMeant {
  /** "Pretend that …": whatever follows, for nobody knows where it ends. */
  imagined: RegExp;
  /** "She said …": up to the end of the clause. */
  quoted: RegExp;
  /** "…, said the radio": everything before it. */
  quotedBefore?: RegExp;
}

/** In a text as plain-words.ts writes it: what makes an answer one to be asked after. */
export interface Hedges {
  /** Conditions, guesses, questions, jokes: neither a yes nor a no is sure beside them. */
  both: readonly RegExp[];
  /** "Yes, but …", "Yes, I got your message": a no stays one. */
  yes: readonly RegExp[];
  /** The last word asks for the other's agreement. */
  tag(words: string): boolean;
}

export interface Language {
  /** First to last; each takes what it read out of the text. */
  rules: readonly IntentRule[];
  /** How questions begin: what sounds like a yes or a no further on in them is a weak one. */
  question: RegExp | null;
  notMeant: NotMeant;
  hedges: Hedges;
  /** One spelling for each word that its rules know. */
  respelt(words: string): string;
  /** Writes its words for days, times and numbers in the English ones that moments/ reads. */
  inEnglishDates(words: string): string;
}
