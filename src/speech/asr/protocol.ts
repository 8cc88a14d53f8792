// What the line's thread and a recogniser say to each other. Neither sound nor words go anywhere else.

export interface RecogniseRequest {
  id: number;
  /** 8 kHz, 16 bits. */
  samples: Int16Array<ArrayBuffer>;
}

/** One for each request, in order. `error` tells what failed, and holds none of the words. */
export type RecogniseAnswer =
  | { id: number; text: string; confidence: number; alarms: readonly string[] }
  | { id: number; error: string };
