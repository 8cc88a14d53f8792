// Port of the voice.
import type { Sound } from "../../telephony/port.ts";
import type { Pace } from "./pace.ts";
import type { Mark } from "./pronunciation.ts";

/** Speaker and style. */
export interface Manner {
  /** BCP 47 tag or free text. */
  language: string;
  /** An agent's setting: a voice name, interpreted per language. */
  voice: string;
  /** Defaults to the usual pace. */
  pace?: Pace;
  /** Marks the organisation's pronunciations in a text. */
  mark: Mark;
}

/** Speech that is played while the rest is synthesised. */
export interface SpokenStream {
  /**
   * The next clause with its words; null after the last one and from a failure on. One call at a time. Never rejects.
   */
  next(): Promise<Sound | null>;
  /** Cancels synthesis of the remaining clauses. */
  cancel(): void;
}

export interface Voice {
  /** The whole text. Null if the language is not supported, or synthesis failed or timed out. Never rejects. */
  speak(text: string, manner: Manner): Promise<Sound | null>;
  say(text: string, manner: Manner): SpokenStream;
  /** Raises the priority of this text, for voices with a queue. */
  hurry?(text: string, manner: Manner): void;
}
