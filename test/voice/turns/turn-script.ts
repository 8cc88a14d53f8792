// A scripted line in windows of 32 ms: who speaks for how long, and what the recogniser answers when. Commands are
// recorded with their audio time.
import type { Recognised } from "../../../src/speech/ears/port.ts";
import { closeOf, type Asked } from "../../../src/voice/turns/end-of-turn.ts";
import type { TurnCommand, TurnEvent, TurnState } from "../../../src/voice/turns/turn-model.ts";
import { FIRST_TURN_STATE, nextTurnMove, wakeAtMs } from "../../../src/voice/turns/turns.ts";
import { WINDOW_MS } from "../../../src/voice/turns/voice-run.ts";

export const wordsOf = (text: string): Recognised => ({ text, confidence: 0.9, alarms: [] });

export interface TurnScriptOptions {
  asked?: Asked;
  /** Words that answer the question. */
  answers?: RegExp;
  isUnhurried?: boolean;
}

export function createTurnScript({ asked = "anything", answers, isUnhurried = false }: TurnScriptOptions = {}) {
  let state: TurnState = FIRST_TURN_STATE;
  let audioMs = 0;
  const happened: { atMs: number; command: TurnCommand }[] = [];

  function tell(event: TurnEvent): void {
    const move = nextTurnMove(state, event, isUnhurried);
    state = move.state;
    for (const command of move.commands) happened.push({ atMs: audioMs, command });
  }

  function windows(forMs: number, probability: number, isEcho = false): void {
    for (let passedMs = 0; passedMs < forMs; passedMs += WINDOW_MS) {
      audioMs += WINDOW_MS;
      tell({ type: "voice", probability, atMs: audioMs, isEcho, nowMs: audioMs });
      wake();
    }
  }

  function wake(): void {
    const at = wakeAtMs(state);
    if (at !== null && at <= audioMs) tell({ type: "elapsed", nowMs: audioMs });
  }

  const asks = () => happened.flatMap(({ command }) => (command.do === "recognise" ? [command] : []));

  return {
    tell,
    state: () => state,
    nowMs: () => audioMs,
    speaks: (isKept = false) => tell({ type: "speaks", isKept, nowMs: audioMs }),
    listens: (silenceAfterMs = 8_000) => tell({ type: "listens", silenceAfterMs, nowMs: audioMs }),
    key: () => tell({ type: "key", nowMs: audioMs }),
    voice: (forMs: number, probability = 0.9) => windows(forMs, probability),
    echo: (forMs: number) => windows(forMs, 0.9, true),
    silence: (forMs: number) => windows(forMs, 0.02),
    noise: (forMs: number) => windows(forMs, 0.3),
    /** The clock advances without windows: the detector is stalled. */
    stall(forMs: number) {
      const untilMs = audioMs + forMs;
      for (let at = wakeAtMs(state); at !== null && at <= untilMs; at = wakeAtMs(state)) {
        audioMs = Math.max(audioMs, at);
        tell({ type: "elapsed", nowMs: audioMs });
      }
      audioMs = untilMs;
    },
    /** The recogniser answers the last request or an earlier one. */
    recognised(text: string | null, segment = asks().at(-1)?.segment ?? 0) {
      const ending = { asked, isAnswered: text !== null && answers?.test(text) === true, close: closeOf(text ?? "") };
      tell({ type: "recognised", segment, words: text === null ? null : wordsOf(text), ending, nowMs: audioMs });
    },
    asks,
    turns: () => happened.flatMap(({ command }) => (command.do === "turn" ? [command.turn] : [])),
    commands: () => happened.map(({ command }) => command.do),
    /** Audio time of a command in ms; null if it did not occur. */
    when: (what: TurnCommand["do"]) => happened.findLast(({ command }) => command.do === what)?.atMs ?? null,
  };
}
