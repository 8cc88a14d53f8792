// Types of turn-taking: events, commands and state. There are two clocks: `audioMs` counts the audio judged by the
// detector since the first frame, `nowMs` the time since the answer. Pauses are measured in audio time, so that a
// lagging detector cuts no one short; only timeouts that must fire with a stalled detector use `nowMs`.
import type { Recognised } from "../../speech/ears/port.ts";
import type { Ending } from "./end-of-turn.ts";
import { NO_VOICE, type VoiceRun } from "./voice-run.ts";

export type TurnEvent =
  /** One window of audio. `isEcho`: our own voice coming back. */
  | { type: "voice"; probability: number; atMs: number; isEcho: boolean; nowMs: number }
  /** Null if recognition failed. Ignored unless `segment` is the pending one. */
  | { type: "recognised"; segment: number; words: Recognised | null; ending: Ending; nowMs: number }
  /** The agent has the turn, from the decision to speak until playback ends. `isKept`: speech does not interrupt it. */
  | { type: "speaks"; isKept: boolean; nowMs: number }
  /** An interruption goes on without being understood: the agent speaks on. */
  | { type: "speaksOn" }
  /** The callee has the turn; `silence` follows after this time without speech. */
  | { type: "listens"; silenceAfterMs: number; nowMs: number }
  /** Audio since this time is another voice: the caller's words end there. */
  | { type: "cut"; atMs: number; nowMs: number }
  /** A key was pressed: simultaneous speech does not answer the next question. */
  | { type: "key"; nowMs: number }
  /** Recognition is lost; only keys and silence remain. */
  | { type: "lost"; nowMs: number }
  /** SIP hold starts or ends. Timers stop during hold. */
  | { type: "held"; isHeld: boolean; nowMs: number }
  | { type: "elapsed"; nowMs: number }
  /** The call is over; final event. */
  | { type: "hungUp" };

export type TurnCommand =
  | { do: "recognise"; segment: number; fromMs: number; toMs: number }
  /** Pauses playback. */
  | { do: "pause" }
  | { do: "resume" }
  /** Stops playback for good. */
  | { do: "cancel" }
  | { do: "turn"; turn: HeardTurn }
  /** The turn seems over and recognition is still pending: play a filler. */
  | { do: "wait" }
  | { do: "silence" };

/** The words of a completed turn. */
export interface HeardTurn {
  segment: number;
  /** Null if recognition failed. Empty after an interruption without recognisable words (`wasInterruption`). */
  words: Recognised | null;
  /** Extent of the speech, in ms of audio. */
  fromMs: number;
  toMs: number;
  /** Spoken over the agent; may have cut it off. */
  wasInterruption: boolean;
}

/** Speech of a turn in progress. */
export interface Segment {
  readonly fromMs: number;
  /** End of the last voice. */
  readonly untilMs: number;
  /** The same by the clock. */
  readonly untilNowMs: number;
  /** Duration of voice in it. */
  readonly voicedMs: number;
  /** The recognition that counts; null while they speak. */
  readonly asked: number | null;
  /** Undefined until known. */
  readonly words: Recognised | null | undefined;
  readonly ending: Ending;
  /** The speech started during the agent's turn: playback is paused until it is classified. */
  readonly pausedAtMs: number | null;
  readonly wasInterruption: boolean;
  /** Maximum length reached: further speech starts a new segment. */
  readonly isFull: boolean;
  /** A filler was played for it. */
  readonly isWaitedFor: boolean;
}

export interface TurnState {
  readonly run: VoiceRun;
  readonly audioMs: number;
  readonly isOurTurn: boolean;
  /** The agent keeps the floor: speech does not interrupt it. */
  readonly isKept: boolean;
  readonly segment: Segment | null;
  /** Counter that numbers the recognitions. */
  readonly asked: number;
  /** Audio before this time belongs to earlier segments. */
  readonly heardUntilMs: number;
  /** Start of the callee's silence during their turn, and its limit. */
  readonly quiet: { sinceMs: number; mostMs: number } | null;
  /** "Haan" near the end of a question: it is the answer if playback ends shortly after. */
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
