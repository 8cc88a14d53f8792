// Something to be said: a recording where the hospital made one, otherwise the text.
import type { RecordedKind } from "../../../payloads/recorded-words.ts";

export interface SpokenLine {
  /** For the log and for the transcript of a recording. */
  name: string;
  text: string;
  recorded: RecordedKind | null;
}

export const line = (name: string, text: string): SpokenLine => ({ name, text, recorded: null });
export const recordable = (kind: RecordedKind, text: string): SpokenLine => ({ name: kind, text, recorded: kind });

/** The sentences that hold on this call. */
export const joined = (name: string, ...sentences: readonly (string | false)[]): SpokenLine =>
  line(name, sentences.filter((sentence) => sentence !== false).join(" "));
