// Port of the agent's ears: voice activity and recognised words. Independent of calls.

/** Factory of ears, one per call. */
export interface Ears {
  open(listener: EarListener): Ear;
}

export interface EarListener {
  /** Called for each 32 ms window, in order. `atMs`: end of the window, in ms of audio since the first frame. */
  voice(probability: number, atMs: number): void;
  /** Alarm phrases found after their recognition was answered. May be called after the ear is lost or closed. */
  alarm(phrases: readonly string[], isSure: boolean): void;
  /** The detector is gone or too slow: the call continues by keypad. */
  lost(): void;
}

export interface Ear {
  /** 160 samples at 8 kHz, 20 ms; copied. */
  hear(frame: Int16Array): void;
  /**
   * The words between two audio times. `gateDb`: sound below this level is background and is attenuated. Null if
   * recognition failed or timed out. Never rejects.
   */
  recognise(fromMs: number, toMs: number, gateDb?: number | null): Promise<Recognised | null>;
  close(): void;
}

/** The hospital's own recogniser, for one call. */
export interface OwnRecogniser {
  /**
   * Audio at 8 kHz. `builtIn` requests the same from the built-in recogniser. Null if neither succeeded. Never rejects.
   */
  recognise(samples: Int16Array, builtIn: () => Promise<Recognised | null>): Promise<Recognised | null>;
}

export interface Recognised {
  /** Empty if no words were recognised. */
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Alarm phrases spotted in the same audio so far. Later ones come through `alarm`. */
  alarms: readonly string[];
  /** Uncertain alarm phrases of the spotter. */
  nearAlarms?: readonly string[];
  /** Alternative hypotheses with a word of danger; searched for alarms, never reported as words. */
  others?: readonly string[];
}
