// Port of the listening side of a call agent: its commands and its events.
import type { Clock } from "../../core/clock.ts";
import type { Ears, Recognised } from "../../speech/ears/port.ts";
import type { Ending } from "../turns/end-of-turn.ts";
import type { HeardTurn } from "../turns/turn-model.ts";
import type { LongSpeech, LongSpeechIs, Loudness } from "./background.ts";
import type { KnownVoices, OverUs } from "./hearing-words.ts";

/** Timestamps in ms since the answer. */
export interface HearingTimes {
  speech_end: number;
  stt_start: number | null;
  stt_final: number | null;
}

export interface ListeningOptions {
  clock: Clock;
  ears: Ears | null;
  isUnhurried: boolean;
  /** Since the answer. */
  nowMs: () => number;
  start(work: () => Promise<void>): void;
  /** How these words end, given the question. */
  endingOf(words: Recognised | null): Ending;
  /** The agent's 20 ms played in the same tick; null for silence. */
  playedFrame(): Int16Array | null;
  on: {
    pause(): void;
    resume(): void;
    /** The callee takes the floor. `pausedAtMs`: when playback was paused. */
    cancel(pausedAtMs: number): void;
    /** Provisional words of a turn: their consequences can be prepared. */
    likely(words: Recognised): void;
    /** Classifies long speech. */
    judgeLong(speech: LongSpeech): LongSpeechIs;
    /** An interruption goes on without being understood. */
    unclear(): void;
    /**
     * Background voices had been taken for the caller and are identified now. `wasInterruption`: they had stopped the
     * agent.
     */
    background(wasInterruption: boolean): void;
    /** The callee was not done; the words were incomplete. */
    goesOn(): void;
    turn(turn: HeardTurn, times: HearingTimes, loudness: Loudness): void;
    /** Alarm phrases in recent speech, independent of the recogniser. */
    alarm(phrases: readonly string[], isSure: boolean): void;
    /** Recognition is slow. */
    wait(): void;
    silence(): void;
    /** Recognition or voice activity detection is lost. */
    deaf(): void;
    /** A machine is ready to record. */
    beep(): void;
  };
}

export interface Listening extends KnownVoices {
  /** `lost`: frames found lost since the previous one. */
  heardFrame(frame: Int16Array, lost: number): void;
  hasHeardSound(): boolean;
  /** Time since the last voice on the line, counted or not. */
  quietForMs(): number;
  /** Attributes the words, which teaches the level of the caller or of the room. */
  learn(turn: HeardTurn, from: "caller" | "room"): void;
  /** The agent takes the turn. */
  speaks(over: OverUs): void;
  /** The agent speaks on over an interrupting voice. */
  speaksOn(): void;
  /** The callee gets the turn. */
  listens(silenceAfterMs: number): void;
  /** SIP hold starts or ends. Audio during hold is music and is ignored. */
  held(isHeld: boolean): void;
  /** Discards current speech because a key was pressed. */
  forget(): void;
  /** After the line is down: speech not yet recognised, or null. */
  lastWords(): Promise<Recognised | null>;
  close(): void;
}
