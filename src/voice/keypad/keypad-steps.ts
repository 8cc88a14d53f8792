// The conversation of the keypad agent as one pure table: in which phase which event leads where. What a phase does not
// list is ignored there, so a key that comes while the calendar is asked can neither book nor confirm a second time.
// A key counts for an appointment or an offered place only once its words were told; before that they are told (again).
import type { KnownAppointment, SlotOffer } from "../port.ts";
import type { Heard, KeypadCall, KeypadEvent, KeypadState, Move, Phase } from "./keypad-model.ts";
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
import { placeGone, sayPlace, sayWait, WAITING_STEPS } from "./keypad-waiting.ts";
import {
  CALL_LATER_KEY,
  NONE_SUITS_KEY,
  NOT_INTERESTED_KEY,
  PERSON_KEY,
  type Choices,
  type SpokenLine,
} from "./words.ts";

/** More than three dates cannot be kept in mind by ear. */
export const MOST_OFFERS = 3;
const MOST_REFUSALS_BEFORE_GOODBYE = 1;
const MOST_PLACES_GONE = 1;
/** Confirm, and another time. Key 3, a person, needs no telling. */
const ABOUT_THE_APPOINTMENT: readonly string[] = ["1", "2"];

const STEPS: Readonly<Record<Phase, Handlers>> = {
  greeting: {
    machine,
    said: (state) => ({ state: { ...state, phase: "lookingUp" }, action: { do: "lookUp" } }),
    key: (state, { key }) => ({ state: { ...state, phase: "lookingUp", earlyKey: key }, action: { do: "lookUp" } }),
  },
  lookingUp: {
    machine,
    // Whoever wants a person need not be told anything first. Any other early key only cuts the greeting short.
    lookedUp: (state, found, call, heard) => {
      const known = withAppointment(state, found, call);
      if (call.hasPlace && known.earlyKey !== PERSON_KEY) return offer(known);
      return known.earlyKey === PERSON_KEY ? choose(known, PERSON_KEY, call, heard) : sayMenu(known, call, heard);
    },
    key: (state, { key }) => ({
      state: { ...state, earlyKey: key === PERSON_KEY ? key : (state.earlyKey ?? key) },
      action: null,
    }),
  },
  menu: {
    machine,
    said: (state, { wasHeard }) => listen({ ...state, wasMenuHeard: wasHeard }, "listening"),
    key: (state, { key }, call, heard) => choose(state, key, call, heard),
  },
  listening: {
    machine,
    silence: (state, _, call, heard) => {
      const later = { ...state, silences: state.silences + 1 };
      // Waiting on is no use for a menu that made no sound.
      const isLast = later.silences >= SILENCES_MS.length || !state.wasMenuHeard;
      return isLast ? tell(later, call) : sayMenu(later, call, heard);
    },
    key: (state, { key }, call, heard) => choose(state, key, call, heard),
  },
  confirming: {
    unreachable,
    confirmed: (state, { isDone }, call) =>
      isDone ? tell({ ...state, answer: "confirmed" }, call, call.words.confirmed) : notSaved(state, call),
  },
  requesting: {
    unreachable,
    changeRequested: (state, { isDone }, call) =>
      isDone
        ? tell({ ...state, answer: "change_requested" }, call, ...goneBefore(state, call), call.words.changeRequested)
        : notSaved(state, call),
  },
  offering: {
    unreachable: (state, event, call, heard) =>
      state.hasAppointment && !event.isLate ? requestChange(state) : unreachable(state, event, call, heard),
    offered: (state, { offers }, call) => {
      if (call.hasPlace) return offers.length > 0 ? sayPlace({ ...state, offers }, call) : placeGone(state, call);
      if (offers.length > 0) return sayOffers({ ...state, offers }, call, ...goneBefore(state, call));
      // Without an appointment there is nothing that could be changed.
      if (state.hasAppointment) return requestChange(state);
      return call.canWait
        ? sayWait(state, call, ...goneBefore(state, call), call.words.nothingOpen)
        : tell({ ...state, answer: "nothing_open" }, call, ...goneBefore(state, call), call.words.nothingOpen);
    },
  },
  offers: {
    said: (state, { wasHeard }) => (wasHeard ? listen(state, "choosing") : requestChange(state)),
    key: (state, { key }, call, heard) => pick(state, key, call, heard),
  },
  choosing: {
    silence: (state, _, call) => {
      const later = { ...state, silences: state.silences + 1 };
      return later.silences >= SILENCES_MS.length ? requestChange(later) : sayOffers(later, call);
    },
    key: (state, { key }, call, heard) => pick(state, key, call, heard),
  },
  booking: {
    unreachable,
    booked: (state, { slot }, call) => {
      if (slot) return tellBooked(state, slot, call);
      if (call.hasPlace) return placeGone(state, call);
      const gone = { ...state, placesGone: state.placesGone + 1, offers: [] };
      return gone.placesGone > MOST_PLACES_GONE ? requestChange(gone) : offer(gone);
    },
  },
  announcing: {
    said: (state) => ({ state: { ...state, phase: "transferring" }, action: { do: "transfer" } }),
  },
  transferring: {
    transferred: (state, { outcome }, call, heard) => {
      if (outcome === "answered") return hangUp({ ...state, answer: "transferred" });
      if (outcome === "handed_over") return hangUp({ ...state, answer: "handed_over" });
      if (outcome === "gone") return hangUp({ ...state, answer: "transfer_refused" });
      const refused: KeypadState = {
        ...state,
        answer: "transfer_refused",
        refusals: state.refusals + 1,
        silences: 0,
      };
      return refused.refusals > MOST_REFUSALS_BEFORE_GOODBYE
        ? tell(refused, call, call.words.transferRefused)
        : sayMenu(refused, call, heard, call.words.transferRefused);
    },
  },
  telling: {
    said: (state, { wasHeard }) =>
      hangUp(state.answer === "machine_answered" && wasHeard ? { ...state, answer: "message_left" } : state),
    key: (state, { key }, call) => contradict(state, key, call),
  },
  undoing: {
    unreachable,
    undone: (state, { isDone, appointment }, call) => {
      const stands = { ...state, appointment, hasAppointment: appointment !== null };
      if (!isDone) return tell({ ...stands, answer: "change_requested" }, call, call.words.changeRequested);
      return stands.offers.length === 0 ? offer({ ...stands, silences: 0 }) : noneSuits(stands, call);
    },
  },
  ...WAITING_STEPS,
  over: {},
};

/** Where the event leads; the same state and no action where the phase has no use for it. */
export function nextMove(state: KeypadState, event: KeypadEvent, call: KeypadCall, heard: Heard): Move {
  const handler = STEPS[state.phase][event.type] as Handler<KeypadEvent["type"]> | undefined;
  return handler ? handler(state, event, call, heard) : { state, action: null };
}

/** The appointment, where it was not told yet, and what the keys lead to. */
export function menuLines(state: KeypadState, call: KeypadCall, heard: Heard): SpokenLine[] {
  const menu = call.words.menu(choices(state, call));
  const { teller } = state;
  return teller === null || teller.text === menu.text || heard.isTold(teller) ? [menu] : [teller, menu];
}

type Found = Omit<Extract<KeypadEvent, { type: "lookedUp" }>, "type">;

/** A recorded menu most likely speaks of an appointment, so its keys count even where the look-up failed. */
export function withAppointment(state: KeypadState, { appointment, canBeNamed }: Found, call: KeypadCall): KeypadState {
  if (appointment !== "unknown") {
    const known = { ...state, appointment, hasAppointment: appointment !== null };
    return { ...known, teller: appointment && tellerOf(appointment, canBeNamed, known, call) };
  }
  const unknown = { ...state, appointment: null, hasAppointment: call.hasRecordedMenu };
  return { ...unknown, teller: call.hasRecordedMenu ? call.words.menu(choices(unknown, call)) : null };
}

/** Without a voice for the language, the appointment is told by what the hospital recorded, as well as that can. */
function tellerOf(
  appointment: KnownAppointment,
  canBeNamed: boolean,
  state: KeypadState,
  call: KeypadCall,
): SpokenLine {
  if (!canBeNamed && call.hasRecordedMenu) return call.words.menu(choices(state, call));
  return (canBeNamed ? null : call.recordedGreeting) ?? call.words.appointment(appointment);
}

const choices = ({ hasAppointment }: KeypadState, { canBook, canTransfer, isOutbound }: KeypadCall): Choices => ({
  hasAppointment,
  canBook,
  canTransfer,
  isOutbound,
});

const sayMenu = (state: KeypadState, call: KeypadCall, heard: Heard, ...before: SpokenLine[]): Move => ({
  state: { ...state, phase: "menu" },
  action: { do: "say", lines: [...before, ...menuLines(state, call, heard)] },
});

function choose(state: KeypadState, key: string, call: KeypadCall, heard: Heard): Move {
  const { teller } = state;
  if (teller && ABOUT_THE_APPOINTMENT.includes(key) && !heard.isTold(teller)) {
    return tooEarly(state, teller, heard, () => slipInMenu(state, call, heard));
  }
  if (key === "1") {
    return state.hasAppointment
      ? { state: { ...state, phase: "confirming" }, action: { do: "confirm" } }
      : tell({ ...state, answer: "acknowledged" }, call, call.words.acknowledged);
  }
  // An appointment has a branch of its own to look for slots in, even where the call has none.
  if (key === "2" && (call.canBook || state.hasAppointment)) return offer({ ...state, silences: 0 });
  if (key === PERSON_KEY && call.canTransfer) {
    return { state: { ...state, phase: "announcing" }, action: { do: "say", lines: [call.words.transfer] } };
  }
  if (key === CALL_LATER_KEY && call.isOutbound) {
    return tell({ ...state, answer: "call_later" }, call, call.words.callLater);
  }
  if (key === NOT_INTERESTED_KEY && call.isOutbound) {
    return tell({ ...state, answer: "not_interested" }, call, call.words.notInterested);
  }
  return slipInMenu(state, call, heard);
}

/** What each answer is contradicted by: "another time" after a yes, "none suits me" after a time was taken. */
const CONTRADICTED_BY: Readonly<Partial<Record<KeypadState["answer"], string>>> = {
  confirmed: "2",
  rescheduled: NONE_SUITS_KEY,
  booked: NONE_SUITS_KEY,
};

/** Nothing is final before the last words went unopposed. A key that is pressed twice opposes nothing. */
function contradict(state: KeypadState, key: string, call: KeypadCall): Move {
  if (key === PERSON_KEY && call.canTransfer && CONTRADICTED_BY[state.answer] !== undefined)
    return { state: { ...state, phase: "announcing" }, action: { do: "say", lines: [call.words.transfer] } };
  if (key !== CONTRADICTED_BY[state.answer] || call.hasPlace) return { state, action: null };
  return { state: { ...state, phase: "undoing", answer: "none" }, action: { do: "undo" } };
}

function slipInMenu(state: KeypadState, call: KeypadCall, heard: Heard): Move {
  const wrong = { ...state, wrongKeys: state.wrongKeys + 1 };
  return wrong.wrongKeys > MOST_WRONG_KEYS ? tell(wrong, call) : sayMenu(wrong, call, heard);
}

const offer = (state: KeypadState): Move => ({ state: { ...state, phase: "offering" }, action: { do: "offer" } });

/** Somebody chose a place, it was gone, and there are no new ones on offer yet. */
const goneBefore = ({ placesGone, offers }: KeypadState, { words }: KeypadCall): SpokenLine[] =>
  placesGone > 0 && offers.length === 0 ? [words.gone] : [];

function sayOffers(state: KeypadState, { words }: KeypadCall, ...before: SpokenLine[]): Move {
  const slots = state.offers.map((slot, i) => words.offer(String(i + 1), slot));
  return {
    state: { ...state, phase: "offers" },
    action: { do: "say", lines: [...before, words.offersLead, ...slots, words.noneSuits] },
  };
}

function pick(state: KeypadState, key: string, call: KeypadCall, heard: Heard): Move {
  if (key === NONE_SUITS_KEY) return noneSuits(state, call);
  const slot = /^[1-9]$/.test(key) ? state.offers[Number(key) - 1] : undefined;
  if (!slot) return slipInOffers(state, call);
  const place = call.words.offer(key, slot);
  if (!heard.isTold(place)) return tooEarly(state, place, heard, () => slipInOffers(state, call));
  return { state: { ...state, phase: "booking" }, action: { do: "book", label: slot.label } };
}

/** Whoever has no appointment has none to be changed: they may wait for another place. */
const noneSuits = (state: KeypadState, call: KeypadCall): Move =>
  call.canWait && !state.hasAppointment ? sayWait({ ...state, silences: 0 }, call) : requestChange(state);

function slipInOffers(state: KeypadState, call: KeypadCall): Move {
  const wrong = { ...state, wrongKeys: state.wrongKeys + 1 };
  return wrong.wrongKeys > MOST_WRONG_KEYS ? requestChange(wrong) : sayOffers(wrong, call);
}

function tellBooked(state: KeypadState, slot: SlotOffer, call: KeypadCall): Move {
  const appointment = { date: slot.date, startTime: slot.startTime };
  return state.hasAppointment
    ? tell({ ...state, appointment, answer: "rescheduled" }, call, call.words.rescheduled(slot))
    : tell({ ...state, appointment, answer: "booked" }, call, call.words.booked(slot));
}

const requestChange = (state: KeypadState): Move => ({
  state: { ...state, phase: "requesting" },
  action: { do: "requestChange" },
});

const hangUp = (state: KeypadState): Move => ({ state: { ...state, phase: "over" }, action: { do: "hangUp" } });
