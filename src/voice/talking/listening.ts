// The agent's ears on one call: frames go to the detector and the echo watch, the turn machine decides, and what it commands is
// done. Once the ears are lost, silence and keys are what is left.
import type { Clock } from "../../core/clock.ts";
import type { Ear, Ears, Recognised } from "../../speech/ears/port.ts";
import { createEchoWatch } from "../turns/echo.ts";
import type { Ending } from "../turns/end-of-turn.ts";
import { createBeepWatch } from "./beep.ts";
import type { HeardTurn, TurnCommand, TurnEvent } from "../turns/turn-model.ts";
import { FIRST_TURN_STATE, nextTurnMove, wakeAtMs } from "../turns/turns.ts";

const FRAME_MS = 20;
/** Whoever picks up says "hello", and our greeting is already under way: nobody is to be interrupted by that. */
const HELLO_MS = 1_000;
/** As the turn machine has it. */
const VOICE = 0.5;

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
    turn(turn: HeardTurn, times: HearingTimes): void;
    silence(): void;
    /** Nobody will be heard any more. */
    deaf(): void;
    /** A machine is ready for a message. */
    beep(): void;
  };
}

export interface Listening {
  heardFrame(frame: Int16Array): void;
  hasHeardSound(): boolean;
  /** For how long nobody has spoken, whether it counted or not. */
  quietForMs(): number;
  /** It is our turn, and they may stop us or not. */
  speaks(canBeStopped: boolean): void;
  /** It is theirs. */
  listens(silenceAfterMs: number): void;
  /** What is being said counts for nothing: a key was pressed. */
  forget(): void;
  close(): void;
}

export function createListening(options: ListeningOptions): Listening {
  const { clock, isUnhurried, nowMs, start, on } = options;
  const echo = createEchoWatch();
  const beeps = createBeepWatch();
  let state = FIRST_TURN_STATE;
  let cancelWake = (): void => {};
  /** The first frame's beginning, in ms from the answer. */
  let audioFromMs: number | null = null;
  let pausedAtMs = 0;
  let isUnstoppable = false;
  let voiceAtMs = 0;
  let asked: { segment: number; startMs: number; finalMs: number | null } | null = null;
  let ear: Ear | null = options.ears?.open({ voice, lost }) ?? null;

  function tell(event: TurnEvent): void {
    const move = nextTurnMove(state, event, isUnhurried);
    state = move.state;
    for (const command of move.commands) obey(command);
    cancelWake();
    const wakeAt = wakeAtMs(state);
    cancelWake =
      wakeAt === null
        ? () => {}
        : clock.after(Math.max(0, wakeAt - nowMs()), () => tell({ type: "elapsed", nowMs: nowMs() }));
  }

  function voice(probability: number, atMs: number): void {
    if (probability >= VOICE) voiceAtMs = nowMs();
    const isOverUs = state.isOurTurn && (isUnstoppable || atMs < HELLO_MS);
    const isEcho = isOverUs || echo.wasEcho(atMs);
    if (ear) tell({ type: "voice", probability, atMs, isEcho, nowMs: nowMs() });
  }

  function lost(): void {
    if (!ear) return;
    closeEar();
    tell({ type: "lost", nowMs: nowMs() });
    on.deaf();
  }

  function closeEar(): void {
    ear?.close();
    ear = null;
  }

  function obey(command: TurnCommand): void {
    switch (command.do) {
      case "recognise":
        recognise(command);
        break;
      case "pause":
        pausedAtMs = nowMs();
        on.pause();
        break;
      case "resume":
        on.resume();
        break;
      case "cancel":
        on.cancel(pausedAtMs);
        break;
      case "turn":
        on.turn(command.turn, timesOf(command.turn));
        break;
      case "silence":
        on.silence();
        break;
    }
  }

  function recognise({ segment, fromMs, toMs }: Extract<TurnCommand, { do: "recognise" }>): void {
    const by = ear;
    if (!by) return;
    asked = { segment, startMs: nowMs(), finalMs: null };
    start(async () => {
      const words = await by.recognise(fromMs, toMs);
      if (asked?.segment !== segment) return;
      asked.finalMs = nowMs();
      if (words && words.text.trim() !== "") on.likely(words);
      tell({ type: "recognised", segment, words, ending: options.endingOf(words), nowMs: nowMs() });
    });
  }

  function timesOf({ segment, toMs }: HeardTurn): HearingTimes {
    const known = asked?.segment === segment ? asked : null;
    return {
      speech_end: (audioFromMs ?? 0) + toMs,
      stt_start: known?.startMs ?? null,
      stt_final: known?.finalMs ?? null,
    };
  }

  return {
    heardFrame(frame) {
      if (!ear) return;
      audioFromMs ??= nowMs() - FRAME_MS;
      echo.tick(frame, options.playedFrame());
      ear.hear(frame);
      if (beeps.hear(frame)) on.beep();
    },
    hasHeardSound: () => audioFromMs !== null,
    quietForMs: () => nowMs() - voiceAtMs,
    speaks(canBeStopped) {
      isUnstoppable = !canBeStopped;
      tell({ type: "speaks", nowMs: nowMs() });
    },
    listens: (silenceAfterMs) => tell({ type: "listens", silenceAfterMs, nowMs: nowMs() }),
    forget: () => tell({ type: "key", nowMs: nowMs() }),
    close() {
      tell({ type: "hungUp" });
      closeEar();
    },
  };
}
