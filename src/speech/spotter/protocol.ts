// What the line's thread and a spotter say to each other. Neither sound nor phrases go anywhere else.

/** What was heard in a piece of sound. */
export interface Spotted {
  /** Whole phrases, each word of them for sure. */
  alarms: readonly string[];
  /** Words of danger that were not, or stood alone: worth a question, and no alarm. Empty where there is one. */
  near: readonly string[];
}

/** One for each SoundRequest, in order. `error` tells what failed; the thread ends after it. */
export type SpotAnswer = ({ id: number } & Spotted) | { id: number; error: string };
