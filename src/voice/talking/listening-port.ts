// What a call's agent hears with, and what it is told of what was heard.
import type { Clock } from "../../core/clock.ts";
import type { Ears, Recognised } from "../../speech/ears/port.ts";
import type { Ending } from "../turns/end-of-turn.ts";
import type { HeardTurn } from "../turns/turn-model.ts";
import type { LongSpeech, LongSpeechIs } from "./background.ts";
import type { KnownVoices, OverUs } from "./hearing-words.ts";

/** When the ears did what, in ms from the answer. */
export interface HearingTimes {
  speech_end: number;
  stt_start: number | null;
  stt_final: number | null;
}

export interface ListeningOptions {
  clock: Clock;
  ears: Ears | null;
  isUnhurried: boolean;
  /** From the answer. */
  nowMs: () => number;
  start(work: () => Promise<void>): void;
  /** How these words end, by what was asked. */
  endingOf(words: Recognised | null): Ending;
  /** The 20 ms of ours that went out in the same tick; null for silence. */
  playedFrame(): Int16Array | null;
  on: {
    pause(): void;
    resume(): void;
    /** They have the floor. `pausedAtMs`: since when we are silent. */
    cancel(pausedAtMs: number): void;
    /** Words that may become a turn: what they lead to can be made ready. */
    likely(words: Recognised): void;
    /** What speech that goes on is taken for. */
    judgeLong(speech: LongSpeech): LongSpeechIs;
    /** They stopped us, speak on and are not understood. */
    unclear(): void;
    /** Other voices were taken for theirs, and are known now. `wasInterruption`: they stopped us. */
    background(wasInterruption: boolean): void;
    /** They were not done: these words were not all. */
    goesOn(): void;
    /** `isFaint`: it was clearly quieter than the caller. */
    turn(turn: HeardTurn, times: HearingTimes, isFaint: boolean): void;
    /** Phrases of danger in what they said a moment ago, whatever the recogniser made of it. */
    alarm(phrases: readonly string[], isSure: boolean): void;
    /** What they said takes long to be recognised. */
    wait(): void;
    silence(): void;
    /** The ears are lost: the callee is no longer heard. */
    deaf(): void;
    /** A machine is ready for a message. */
    beep(): void;
  };
}

export interface Listening extends KnownVoices {
  /** `lost`: frames that turned out to be lost since the one before. */
  heardFrame(frame: Int16Array, lost: number): void;
  hasHeardSound(): boolean;
  /** How long the line has been without a voice, whether it counted or not. */
  quietForMs(): number;
  /** Whose words these were: the caller's level is known from then on, or the room's. */
  learn(turn: HeardTurn, from: "caller" | "room"): void;
  /** It is our turn. */
  speaks(over: OverUs): void;
  /** We speak on beside the voice that interrupted us. */
  speaksOn(): void;
  /** It is theirs. */
  listens(silenceAfterMs: number): void;
  /** The other side holds us, or is back. What is heard meanwhile is music. */
  held(isHeld: boolean): void;
  /** What is being said counts for nothing: a key was pressed. */
  forget(): void;
  /** The line is down: what was being said until then, and was not recognised yet. Null where nothing was said. */
  lastWords(): Promise<Recognised | null>;
  close(): void;
}
