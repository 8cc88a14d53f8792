// A phrase of the agent: the hospital's recording if one exists, otherwise the text.
import type { RecordedKind } from "../../payloads/recorded-words.ts";

export interface Phrase {
  /** For logs, and for the transcript when a recording is played. */
  name: string;
  text: string;
  recorded: RecordedKind | null;
}

export const phrase = (name: string, text: string): Phrase => ({ name, text, recorded: null });
export const recordable = (kind: RecordedKind, text: string): Phrase => ({ name: kind, text, recorded: kind });

/** Joins the sentences that apply to this call. */
export const joined = (name: string, ...sentences: readonly (string | false)[]): Phrase =>
  phrase(name, sentences.filter((sentence) => sentence !== false).join(" "));
