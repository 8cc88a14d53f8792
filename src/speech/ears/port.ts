// What an agent hears with: whether somebody speaks, and which words they said. It knows nothing of calls.

/** What a machine hears with. One for each call. */
export interface Ears {
  open(listener: EarListener): Ear;
}

export interface EarListener {
  /**
   * One for each 32 ms window of the call's audio, in order. `atMs`: end of the window, in milliseconds of audio from the
   * first frame.
   */
  voice(probability: number, atMs: number): void;
  /**
   * Alarm phrases that the spotter heard in something that was asked for earlier; nobody waits for it. It may come when the ear is
   * lost or closed.
   */
  alarm(phrases: readonly string[], isSure: boolean): void;
  /** The detector is gone or too slow: the call goes on by keypad. */
  lost(): void;
}

export interface Ear {
  /** 160 samples of 8 kHz, 20 ms; copied. */
  hear(frame: Int16Array): void;
  /**
   * The words between two moments of the call's audio. Null where the recogniser failed, is too slow or gone. Never
   * rejects.
   */
  recognise(fromMs: number, toMs: number): Promise<Recognised | null>;
  close(): void;
}

/** A recogniser of the hospital's own, for one call. */
export interface OwnRecogniser {
  /** Of 8 kHz. `builtIn` asks ours for the same. Null where nobody could tell. Never rejects. */
  recognise(samples: Int16Array, builtIn: () => Promise<Recognised | null>): Promise<Recognised | null>;
}

export interface Recognised {
  /** Empty where no words were heard. */
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Alarm phrases that the spotter had heard in the same audio by then (empty without one). Others come by `alarm`. */
  alarms: readonly string[];
  /** Phrases of danger that the spotter may have heard. */
  nearAlarms?: readonly string[];
  /** What else may have been said, where a word of danger is in it; looked through for alarms, and never told as words. */
  others?: readonly string[];
}
