// What the line's thread and a recogniser say to each other. Neither sound nor words go anywhere else.
import type { SoundRequest } from "../work-pool.ts";

export type RecogniseRequest = SoundRequest;

export interface Words {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** What else may have been said; looked through for danger, and never told as words. */
  others?: readonly string[];
}

/** One for each request, in order. `error` tells what failed, and holds none of the words. */
export type RecogniseAnswer = ({ id: number } & Words) | { id: number; error: string };
