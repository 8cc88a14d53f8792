// What the line's thread and the ear worker say to each other: frames of all calls together, and what was heard in them.

export const FRAME_SAMPLES = 160;
/** The detector's own window at 8 kHz: 32 ms. */
export const WINDOW_SAMPLES = 256;
export const WINDOW_MS = 32;

export interface ToEarWorker {
  /** Whose frame each is, in the order of the samples; an ear may be there more than once. */
  ears: readonly number[];
  /** 160 for each of them. */
  samples: Int16Array;
  /** Ears whose calls are over. */
  closed: readonly number[];
}

export interface FromEarWorker {
  /** One for each window that became whole, in order. */
  ears: readonly number[];
  probabilities: Float32Array;
}
