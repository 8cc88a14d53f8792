// Phrases for which an agent can have a recording, in the order of a call.
export const RECORDED_KINDS = ["greeting", "menu", "confirmed", "change_requested", "transfer", "goodbye"] as const;

export type RecordedKind = (typeof RECORDED_KINDS)[number];

export function isRecordedKind(text: string): text is RecordedKind {
  return (RECORDED_KINDS as readonly string[]).includes(text);
}

/** A recording for an agent; the key changes with the audio. */
export interface RecordedWords {
  kind: RecordedKind;
  key: string;
}
