// Something to be said: a recording where the hospital made one, otherwise the text.
import type { RecordedKind } from "../../../payloads/recorded-words.ts";

export interface Phrase {
  /** For the log and for the transcript of a recording. */
  name: string;
  text: string;
  recorded: RecordedKind | null;
}

export const phrase = (name: string, text: string): Phrase => ({ name, text, recorded: null });
export const recordable = (kind: RecordedKind, text: string): Phrase => ({ name: kind, text, recorded: kind });

/** The sentences that hold on this call. */
export const joined = (name: string, ...sentences: readonly (string | false)[]): Phrase =>
  phrase(name, sentences.filter((sentence) => sentence !== false).join(" "));
