// The keypad conversation about the waiting list: whether somebody wants to be on it, and about a place that has opened.
import type { Heard, KeypadCall, KeypadState, Move, Phase } from "./keypad-model.ts";
import {
  listen,
  machine,
  MOST_WRONG_KEYS,
  notSaved,
  SILENCES_MS,
  tell,
  tooEarly,
  unreachable,
  type Handler,
  type Handlers,
} from "./keypad-moves.ts";
import { PERSON_KEY, type SpokenLine } from "./words.ts";

type WaitingPhase = Extract<
  Phase,
  "waitMenu" | "waitChoosing" | "joining" | "place" | "placeChoosing" | "stayMenu" | "stayChoosing" | "declining"
>;

/** Nothing suits: would they like to be called when a place opens? */
export const sayWait = (state: KeypadState, { words }: KeypadCall, ...before: SpokenLine[]): Move => ({
  state: { ...state, phase: "waitMenu" },
  action: { do: "say", lines: [...before, words.wait] },
});

/** The one place that is kept for them. */
export function sayPlace(state: KeypadState, call: KeypadCall): Move {
  const [slot] = state.offers;
  if (!slot) return placeGone(state, call);
  const { words } = call;
  return { state: { ...state, phase: "place" }, action: { do: "say", lines: [words.place(slot), words.placeKeys] } };
}

/** It was taken back: nobody promises it, and their turn is kept. */
export const placeGone = (state: KeypadState, call: KeypadCall): Move =>
  tell({ ...state, answer: "place_gone" }, call, call.words.gone, call.words.staysWaiting);

const sayStay = (state: KeypadState, { words }: KeypadCall): Move => ({
  state: { ...state, phase: "stayMenu" },
  action: { do: "say", lines: [words.stay] },
});

const onWaitKey: Handler<"key"> = (state, { key }, call) => {
  if (key === "1") return { state: { ...state, phase: "joining" }, action: { do: "join" } };
  if (key === "2") return withoutList(state, call);
  return slip(state, call, sayWait, withoutList);
};

const withoutList = (state: KeypadState, call: KeypadCall): Move => tell({ ...state, answer: "nothing_open" }, call);

const onPlaceKey: Handler<"key"> = (state, { key }, call, heard) => {
  const [slot] = state.offers;
  if (key === "1" && slot) return takePlace(state, slot.label, call.words.place(slot), call, heard);
  if (key === "2") return sayStay({ ...state, silences: 0 }, call);
  if (key === PERSON_KEY && call.canTransfer) {
    return { state: { ...state, phase: "announcing" }, action: { do: "say", lines: [call.words.transfer] } };
  }
  return slip(state, call, sayPlace, tell);
};

function takePlace(state: KeypadState, label: string, told: SpokenLine, call: KeypadCall, heard: Heard): Move {
  if (!heard.isTold(told)) return tooEarly(state, told, heard, () => slip(state, call, sayPlace, tell));
  return { state: { ...state, phase: "booking" }, action: { do: "book", label } };
}

const onStayKey: Handler<"key"> = (state, { key }, call) => {
  if (key === "1" || key === "2") return decline(state, key === "1");
  return slip(state, call, sayStay, (wrong) => decline(wrong, true));
};

const decline = (state: KeypadState, stays: boolean): Move => ({
  state: { ...state, phase: "declining", staysWaiting: stays },
  action: { do: "decline", stays },
});

type Say = (state: KeypadState, call: KeypadCall) => Move;

function slip(state: KeypadState, call: KeypadCall, again: Say, otherwise: Say): Move {
  const wrong = { ...state, wrongKeys: state.wrongKeys + 1 };
  return wrong.wrongKeys > MOST_WRONG_KEYS ? otherwise(wrong, call) : again(wrong, call);
}

const silent =
  (again: Say, otherwise: Say): Handler<"silence"> =>
  (state, _, call) => {
    const later = { ...state, silences: state.silences + 1 };
    return later.silences >= SILENCES_MS.length ? otherwise(later, call) : again(later, call);
  };

export const WAITING_STEPS: Readonly<Record<WaitingPhase, Handlers>> = {
  waitMenu: { said: (state) => listen(state, "waitChoosing"), key: onWaitKey },
  waitChoosing: { silence: silent(sayWait, withoutList), key: onWaitKey },
  joining: {
    unreachable,
    joined: (state, { isDone }, call) =>
      isDone ? tell({ ...state, answer: "waitlisted" }, call, call.words.waitlisted) : notSaved(state, call),
  },
  place: { machine, said: (state) => listen(state, "placeChoosing"), key: onPlaceKey },
  placeChoosing: { machine, silence: silent(sayPlace, tell), key: onPlaceKey },
  stayMenu: { said: (state) => listen(state, "stayChoosing"), key: onStayKey },
  // Whoever says nothing more does not want the place, and has not said that they want to leave the list.
  stayChoosing: { silence: silent(sayStay, (state) => decline(state, true)), key: onStayKey },
  declining: {
    unreachable,
    declined: (state, { isDone }, call) => {
      if (!isDone) return notSaved(state, call);
      return state.staysWaiting
        ? tell({ ...state, answer: "stays_waiting" }, call, call.words.staysWaiting)
        : tell({ ...state, answer: "left_list" }, call, call.words.leftList);
    },
  },
};
