// Timestamps between the end of the callee's speech and our answer, to diagnose a slow agent. Stored with the call and
// shown on its page, but not part of the API.

/** In milliseconds since the call was answered; null if it did not happen. */
export interface TurnTimes {
  /** End of the callee's speech. */
  speech_end: number | null;
  /** Recognition starts before the end of the turn. */
  stt_start: number | null;
  stt_final: number | null;
  /** End of the turn. */
  commit: number | null;
  /** Start of the decision what to say, by the rules or a model. */
  llm_start: number | null;
  llm_first: number | null;
  /** Start of synthesis. The time before it was spent on the calendar and on data that had to be on disk first. */
  tts_start?: number;
  /** The first audio of the answer was synthesised. */
  tts_first: number | null;
  /** The first audio was sent. */
  rtp_first: number | null;
  /** Barge-in by the callee. */
  interrupted_at: number | null;
  /** One of the hospital's language models decided what to say. */
  led?: true;
}
