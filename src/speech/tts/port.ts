// The voice, as whoever talks on a line asks for it.
import type { Sound } from "../../telephony/port.ts";
import type { Pace } from "./pace.ts";
import type { Mark } from "./pronunciation.ts";

/** Who speaks, and how. */
export interface Manner {
  /** BCP 47, or as people write it. */
  language: string;
  /** An agent's setting: the name of a voice, which each language reads in its own way. */
  voice: string;
  /** The usual one unless it is told. */
  pace?: Pace;
  /** Puts the organisation's pronunciations into a text. */
  mark: Mark;
}

/** Words that are heard while the rest of them is made. */
export interface SpokenStream {
  /**
   * The next clause, with its words; null after the last, and where the voice fails, from there on. One at a time. Never
   * rejects.
   */
  next(): Promise<Sound | null>;
  /** Nobody listens any more: what is not made yet is not made. */
  cancel(): void;
}

export interface Voice {
  /** In one piece. Null where the voice does not have the language, failed, or took too long. Never rejects. */
  speak(text: string, manner: Manner): Promise<Sound | null>;
  say(text: string, manner: Manner): SpokenStream;
  /** Somebody waits for this text now. For a voice that takes long, and has been asked for other things too. */
  hurry?(text: string, manner: Manner): void;
}
