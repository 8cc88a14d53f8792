// What turn taking is made of: what happens on the line, what is to be done about it, and what is remembered in
// between. Two times run side by side: `audioMs` is the audio that the detector has judged, from the first frame on,
// and `nowMs` the clock from the answer on. Pauses are measured in audio, so that a detector that lags behind cuts
// nobody short; only what must end even if the detector stands still goes by the clock.
import type { Recognised } from "../../speech/ears/port.ts";
import type { Ending } from "./end-of-turn.ts";
import { NO_VOICE, type VoiceRun } from "./voice-run.ts";

export type TurnEvent =
  /** One window of audio. `isEcho`: it is our own voice that comes back. */
  | { type: "voice"; probability: number; atMs: number; isEcho: boolean; nowMs: number }
  /** Null where the recogniser failed. Dropped where `segment` is not the one that is waited for. */
  | { type: "recognised"; segment: number; words: Recognised | null; ending: Ending; nowMs: number }
  /**
   * It is our turn, from the decision to say something until it was said. `isKept`: nothing that is said over us stops
   * us.
   */
  | { type: "speaks"; isKept: boolean; nowMs: number }
  /** The callee interrupted us and goes on without being understood: we speak on as well. */
  | { type: "speaksOn" }
  /** It is theirs; `silence` comes where nothing was said for so long. */
  | { type: "listens"; silenceAfterMs: number; nowMs: number }
  /** What is heard since this moment is not the one who speaks: their words end there. */
  | { type: "cut"; atMs: number; nowMs: number }
  /** A key was pressed: what is being said beside it is no answer to what comes next. */
  | { type: "key"; nowMs: number }
  /** Nobody listens any more; keys and silence are what is left. */
  | { type: "lost"; nowMs: number }
  /** The other side holds us, or is back. Until then nobody is waited for. */
  | { type: "held"; isHeld: boolean; nowMs: number }
  | { type: "elapsed"; nowMs: number }
  /** The call is over; nothing follows. */
  | { type: "hungUp" };

export type TurnCommand =
  | { do: "recognise"; segment: number; fromMs: number; toMs: number }
  /** Our words, for now. */
  | { do: "pause" }
  | { do: "resume" }
  /** Our words, for good. */
  | { do: "cancel" }
  | { do: "turn"; turn: HeardTurn }
  /** They are done, it seems, and their words are still being recognised: they must not wait in silence. */
  | { do: "wait" }
  | { do: "silence" };

/** What somebody said until they were done. */
export interface HeardTurn {
  segment: number;
  /** Null where the recogniser failed. Without words where `wasInterruption`: they stopped us, and nobody knows why. */
  words: Recognised | null;
  /** Of the speech itself, in milliseconds of audio. */
  fromMs: number;
  toMs: number;
  /** It was said over us, and may have cut us short. */
  wasInterruption: boolean;
}

/** Speech that has begun and whose turn is not over. */
export interface Segment {
  readonly fromMs: number;
  /** End of the last voice. */
  readonly untilMs: number;
  /** When that voice was heard, by the clock. */
  readonly untilNowMs: number;
  /** How much of it was voice. */
  readonly voicedMs: number;
  /** Which recognition counts; null while they speak. */
  readonly asked: number | null;
  /** Undefined while it is not known. */
  readonly words: Recognised | null | undefined;
  readonly ending: Ending;
  /** It began while it was our turn: until that is decided, we are paused. */
  readonly pausedAtMs: number | null;
  readonly wasInterruption: boolean;
  /** As long as a segment may be: what follows is the next. */
  readonly isFull: boolean;
  /** They were told that it takes a moment. */
  readonly isWaitedFor: boolean;
}

export interface TurnState {
  readonly run: VoiceRun;
  readonly audioMs: number;
  readonly isOurTurn: boolean;
  /** We keep the floor: no voice interrupts us. */
  readonly isKept: boolean;
  readonly segment: Segment | null;
  /** Counts recognitions, so that each has a number of its own. */
  readonly asked: number;
  /** Nothing before this moment of audio belongs to a later segment. */
  readonly heardUntilMs: number;
  /** When they began to be silent while it is their turn, and how long they may be. */
  readonly quiet: { sinceMs: number; mostMs: number } | null;
  /** "Haan" in our last words: if we are done a moment later, it was the answer. */
  readonly early: { turn: HeardTurn; atMs: number } | null;
  readonly isHeld: boolean;
  readonly isOver: boolean;
}

export const FIRST_TURN_STATE: TurnState = {
  run: NO_VOICE,
  audioMs: 0,
  isOurTurn: true,
  isKept: false,
  segment: null,
  asked: 0,
  heardUntilMs: 0,
  quiet: null,
  early: null,
  isHeld: false,
  isOver: false,
};

export interface TurnMove {
  state: TurnState;
  commands: readonly TurnCommand[];
}
