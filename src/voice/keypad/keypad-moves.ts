// The few things that a step of the keypad conversation can do, shared by its tables.
import { SECOND_MS } from "../../core/clock.ts";
import type { Heard, KeypadCall, KeypadEvent, KeypadState, Move, Phase } from "./keypad-model.ts";
import type { SpokenLine } from "./words.ts";

/** After the menu: said again twice, then goodbye. Eight seconds let an elderly person take the phone from the ear and find the key. */
export const SILENCES_MS = [8 * SECOND_MS, 8 * SECOND_MS, 6 * SECOND_MS] as const;
/** A key that leads nowhere is a slip; after the fourth, nobody is listening to the menu. */
export const MOST_WRONG_KEYS = 3;

export type Handler<Type extends KeypadEvent["type"]> = (
  state: KeypadState,
  event: Extract<KeypadEvent, { type: Type }>,
  call: KeypadCall,
  heard: Heard,
) => Move;
export type Handlers = { readonly [Type in KeypadEvent["type"]]?: Handler<Type> };

/** Until something was agreed on, whoever answered may turn out to be a machine. Whoever called us is a person. */
export const machine: Handler<"machine"> = (state, _, call) =>
  call.isOutbound
    ? {
        state: { ...state, phase: "telling", answer: "machine_answered" },
        action: { do: "say", lines: [call.message] },
      }
    : { state, action: null };

export const listen = (state: KeypadState, phase: Phase): Move => ({
  state: { ...state, phase },
  action: { do: "listen", forMs: SILENCES_MS[state.silences] ?? SILENCES_MS[0] },
});

/** The key came before the words that it answers. Where they are on their way they go on, and the question follows. */
export const tooEarly = (state: KeypadState, line: SpokenLine, heard: Heard, otherwise: () => Move): Move =>
  heard.isUnderWay(line) ? { state, action: null } : otherwise();

/** Nobody knows what the calendar made of it, so a person looks. */
export const unreachable: Handler<"unreachable"> = (state, _, call) =>
  tell({ ...state, answer: "not_saved" }, call, call.words.unreachable);

export const notSaved = (state: KeypadState, call: KeypadCall): Move =>
  tell({ ...state, answer: "not_saved" }, call, call.words.notSaved);

/** The last words of the call. */
export const tell = (state: KeypadState, { words }: KeypadCall, ...lines: SpokenLine[]): Move => ({
  state: { ...state, phase: "telling" },
  action: { do: "say", lines: [...lines, words.goodbye] },
});
