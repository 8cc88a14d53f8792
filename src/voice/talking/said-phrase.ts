// Playback progress of one phrase: its transcript text, and whether it counts as told.
import { SECOND_MS } from "../../core/clock.ts";
import type { Sound } from "../../telephony/port.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { PhraseNotices } from "./heard-notices.ts";
import { heardWords, recordingText } from "./talk-log.ts";

/** The remainder is the end of "in the morning" and trailing silence. */
const TOLD_SHARE = 0.9;
/** The position of words in a recording is unknown; after this time its subject counts as heard. */
const RECORDING_TOLD_MS = 2 * SECOND_MS;

interface Clause {
  words: number;
  lengthMs: number;
  playedMs: () => number;
}

export interface SaidPhrase {
  readonly notices: PhraseNotices;
  /** Playback of a clause starts. */
  add(clause: Sound, playedMs: () => number): void;
  isTold(): boolean;
  /** Every word was played. A recording's words are unknown. */
  isWhole(): boolean;
  /** The words played so far. */
  text(): string;
}

/** Number of words. */
export const countOf = (text: string): number => text.match(/\S+/g)?.length ?? 0;

export function createSaidPhrase(phrase: Phrase, isRecording: boolean, notices: PhraseNotices): SaidPhrase {
  const clauses: Clause[] = [];
  const words = Math.max(1, countOf(phrase.text));

  const shareOf = ({ lengthMs, playedMs }: Clause) => Math.min(1, playedMs() / Math.max(1, lengthMs));
  const playedMs = () => clauses.reduce((sum, clause) => sum + clause.playedMs(), 0);

  /** A recording counts as one clause. */
  function heardShare(): number {
    if (isRecording) return clauses[0] ? shareOf(clauses[0]) : 0;
    return clauses.reduce((sum, clause) => sum + clause.words * shareOf(clause), 0) / words;
  }

  return {
    notices,
    add(clause, played) {
      clauses.push({ words: countOf(clause.words), lengthMs: clause.lengthMs, playedMs: played });
    },
    isTold: () => heardShare() >= TOLD_SHARE || (isRecording && playedMs() >= RECORDING_TOLD_MS),
    isWhole: () => !isRecording && heardShare() >= 1,
    text: () => (isRecording ? recordingText(phrase, heardShare()) : heardWords(phrase.text, heardShare())),
  };
}
