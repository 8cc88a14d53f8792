// A phrase of the agent: the hospital's recording if one exists, otherwise the text.
import type { NoticeKind } from "../../payloads/lawful.ts";
import type { RecordedKind } from "../../payloads/recorded-words.ts";

export interface Phrase {
  /** For logs, and for the transcript when a recording is played. */
  name: string;
  text: string;
  recorded: RecordedKind | null;
  /** Notices that the text contains. They count once the text was played to its end; a recording contains none. */
  notices?: readonly NoticeKind[];
}

export const phrase = (name: string, text: string): Phrase => ({ name, text, recorded: null });
export const notice = (name: string, text: string, ...notices: readonly NoticeKind[]): Phrase => ({
  ...phrase(name, text),
  notices,
});
export const recordable = (kind: RecordedKind, text: string): Phrase => ({ name: kind, text, recorded: kind });

/** Joins the sentences that apply to this call. */
export const joined = (name: string, ...sentences: readonly (string | false)[]): Phrase =>
  phrase(name, sentences.filter((sentence) => sentence !== false).join(" "));

/** Menu of keys. On outbound calls it names the key that stops the calls. */
export const keyMenu = (
  name: string,
  { isOutbound }: { isOutbound: boolean },
  ...sentences: readonly (string | false)[]
): Phrase => ({ ...joined(name, ...sentences), ...(isOutbound && { notices: ["stop"] }) });
