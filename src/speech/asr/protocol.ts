// Messages between the line's thread and a recogniser. Audio and words stay between these two threads.
import type { SoundRequest } from "../work-pool.ts";

export type RecogniseRequest = SoundRequest;

export interface Words {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Alternative hypotheses; searched for danger, never reported as words. */
  others?: readonly string[];
}

/** One per request, in order. `error` contains none of the words. */
export type RecogniseAnswer = ({ id: number } & Words) | { id: number; error: string };
