// When what happened between the end of the callee's words and our answer: what a person looks at who wants to know why
// an agent is slow. Kept with the call, shown on its page, and no part of the API.

/** In milliseconds from the answer; null where it did not happen. */
export interface TurnTimes {
  /** The callee's last voice. */
  speech_end: number | null;
  /** Recognition begins before the turn is over. */
  stt_start: number | null;
  stt_final: number | null;
  /** The turn was over. */
  commit: number | null;
  /** Whoever decides what to say: the rules, or a model. */
  llm_start: number | null;
  llm_first: number | null;
  /**
   * The words were the voice's to make: what lay between was for the calendar, and for what had to be on disk first.
   */
  tts_start?: number;
  /** The first sound of the answer was there. */
  tts_first: number | null;
  /** And went out. */
  rtp_first: number | null;
  /** The callee stopped us. */
  interrupted_at: number | null;
  /** A language model of the hospital's decided what to say. */
  led?: true;
}
