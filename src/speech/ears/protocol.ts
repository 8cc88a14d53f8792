// Messages between the line's thread and the detector's thread: frames and results of all calls, in batches.

export const FRAME_SAMPLES = 160;
/** Silero's window at 8 kHz: 32 ms. */
export const WINDOW_SAMPLES = 256;
export const WINDOW_MS = 32;

export interface ToEarWorker {
  /** The ear of each frame, in the order of the samples; an ear may occur more than once. */
  ears: readonly number[];
  /** 160 per frame. */
  samples: Int16Array;
  /** Ears of ended calls. */
  closed: readonly number[];
}

export interface FromEarWorker {
  /** One per completed window, in order. */
  ears: readonly number[];
  probabilities: Float32Array;
}
