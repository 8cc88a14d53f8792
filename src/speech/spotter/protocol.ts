// Messages between the line's thread and a spotter. Audio and phrases stay between these two threads.

/** Result for a piece of audio. */
export interface Spotted {
  /** Complete phrases, every word certain. */
  alarms: readonly string[];
  /** Uncertain or isolated words of danger: they lead to a question. Empty if there is an alarm. */
  near: readonly string[];
}

/** One per SoundRequest, in order. The thread ends after an `error`. */
export type SpotAnswer = ({ id: number } & Spotted) | { id: number; error: string };
