// Timestamps of the turns of a call.
import type { TurnTimes } from "../../payloads/turn-times.ts";

/** One hour of talk; keeps call records small. */
const MOST_TURNS = 200;

const NONE: TurnTimes = {
  speech_end: null,
  stt_start: null,
  stt_final: null,
  commit: null,
  llm_start: null,
  llm_first: null,
  tts_first: null,
  rtp_first: null,
  interrupted_at: null,
};

export interface TurnRecord {
  /** Starts a turn of the agent; marks missing in the previous turn stay empty. */
  begins(known: Partial<TurnTimes>): void;
  /** The first mark counts. */
  mark(what: Exclude<keyof TurnTimes, "led">, atMs: number): void;
  /** A model is queried for this turn. */
  led(): void;
  /** The first words of a model's answer arrived; synthesis starts with them. */
  answersFirst(atMs: number): void;
  list(): TurnTimes[];
}

export function createTurnRecord(): TurnRecord {
  const turns: TurnTimes[] = [];
  let current: TurnTimes | null = null;
  const mark: TurnRecord["mark"] = (what, atMs) => {
    if (current) current[what] ??= atMs;
  };
  return {
    begins(known) {
      current = { ...NONE, ...known };
      if (turns.length < MOST_TURNS) turns.push(current);
    },
    mark,
    answersFirst(atMs) {
      mark("llm_first", atMs);
      mark("tts_start", atMs);
    },
    led() {
      if (current) current.led = true;
    },
    list: () => turns.map(rounded),
  };
}

const ms = (atMs: number | null): number | null => (atMs === null ? null : Math.max(0, Math.round(atMs)));

const rounded = (turn: TurnTimes): TurnTimes => ({
  speech_end: ms(turn.speech_end),
  stt_start: ms(turn.stt_start),
  stt_final: ms(turn.stt_final),
  commit: ms(turn.commit),
  llm_start: ms(turn.llm_start),
  llm_first: ms(turn.llm_first),
  tts_first: ms(turn.tts_first),
  rtp_first: ms(turn.rtp_first),
  interrupted_at: ms(turn.interrupted_at),
  ...(turn.tts_start !== undefined && { tts_start: Math.max(0, Math.round(turn.tts_start)) }),
  ...(turn.led && { led: true }),
});
