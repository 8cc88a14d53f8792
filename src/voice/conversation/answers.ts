// What an answer to each question leads to, spoken or by key. What a question does not list was not understood.
import type { Meaning, Moment } from "../understanding/meaning.ts";
import { LIKELY, SURE, confidenceIn, isHedgedYes } from "./confidence.ts";
import { callbackFrom } from "./callback.ts";
import { aPersonFindsIt, ask, askNext, listen, stay, tell, work, type TalkContext } from "./moves.ts";
import type { Question, TalkMove, TalkState } from "./model.ts";
import { findTimes, nameAgain, nameCorrected, nameHeard, needsName, nameAgreed, withoutName } from "./name.ts";
import { declinePlace } from "./waiting.ts";

type Answer = (state: TalkState, context: TalkContext) => TalkMove;

interface Answers {
  yes?: Answer;
  no?: Answer;
  /** Beside yes and no. Null: not understood. */
  other?: (state: TalkState, meaning: Meaning, context: TalkContext) => TalkMove | null;
  /** Beside 1 and 2, which are yes and no. */
  key?: (state: TalkState, key: string, context: TalkContext) => TalkMove | null;
}

/** More rounds of offers than this, and a person finds the time. */
export const MOST_ROUNDS = 3;
const MOST_TIMES_KEPT = 1;
const MOST_BARE_YESES = 2;
const CLEARLY_CHOSEN = 0.6;
export const PERSON_KEY = "3";

/** Times near the wish. A caller whose name is not known is asked for it first. */
function offer(state: TalkState, wish: Moment | null, context: TalkContext): TalkMove {
  const wishing = { ...state, wish, wasSuggested: false };
  return needsName(wishing, context)
    ? askNext({ ...wishing, wasNameAsked: true }, "name", context)
    : findTimes(wishing);
}

/** Somebody wants another time: near what they named, where they named it. */
function anotherTime(state: TalkState, moment: Moment | null, context: TalkContext): TalkMove {
  if (moment?.conflict) return askNext(state, "day", context, context.lines.dayConflict(moment));
  return offer(state, moment, context);
}

const SAME_DAY = /\b(?:that|the same|same) day\b/i;

/** "At half past ten instead" is meant for the day that is spoken of. */
function onTheDay({ moment, text }: Meaning, at: { date: string } | null): Moment | null {
  const isOfDay = moment?.date === null && (moment.time !== null || SAME_DAY.test(text));
  return moment && at && isOfDay ? { ...moment, date: at.date } : moment;
}

/** "Yes, Tuesday at ten" repeats what was said; "yes, but on Thursday" does not. */
function wantsAnotherTime(meaning: Meaning, than: { date: string; startTime: string } | null = null): boolean {
  if (confidenceIn(meaning, "another_time") >= LIKELY) return true;
  return meaning.moment !== null && !(than && agrees(meaning.moment, than));
}

const agrees = ({ date, time }: Moment, slot: { date: string; startTime: string }): boolean =>
  (date === null || date === slot.date) && (time === null || time === slot.startTime);

/** They are the contact: now it may be said what it is about. */
const isTheContact: Answer = (state) => work({ ...state, isContact: true, lead: [] }, { do: "lookUp" });
const isSomebodyElse: Answer = (state, context) => askNext({ ...state, isContact: false }, "fetch", context);

const identity: Answers = {
  yes: isTheContact,
  // Whoever has no moment is called later; whoever is somebody else may fetch them.
  no: (state, context) =>
    context.call.contactName === null ? askNext(state, "callback", context) : isSomebodyElse(state, context),
  other: (state, meaning, context) => {
    const somebodyElse = Math.max(confidenceIn(meaning, "not_that_person"), confidenceIn(meaning, "child_or_relative"));
    return somebodyElse >= LIKELY ? isSomebodyElse(state, context) : null;
  },
};

const ANSWERS: Readonly<Record<Question, Answers>> = {
  identity,
  fetching: {
    ...identity,
    // Whoever speaks is not the one who went to fetch them.
    other: (state, meaning, context) =>
      identity.other?.(state, meaning, context) ?? askNext({ ...state, isContact: null }, "identity", context),
  },
  screened: {
    // Robots speak in several sentences: whoever has not heard who is calling is told again.
    other: (state, _, context) =>
      context.told.isTold(context.lines.screened(context.call))
        ? askNext(state, "identity", context)
        : ask(state, "screened", context),
    yes: (state, context) => askNext(state, "identity", context),
  },
  fetch: {
    yes: (state, context) => waitForThem(state, context),
    no: (state, context) => tell(state, "not_reached", context, context.lines.notReached),
    other: (state, meaning, context) =>
      confidenceIn(meaning, "hold_on") >= LIKELY ? waitForThem(state, context) : null,
  },
  attend: {
    yes: (state) => work(state, { do: "confirm" }),
    no: (state, context) => askNext(state, "change", context),
    other: (state, meaning, context) => {
      if (confidenceIn(meaning, "cancel_appointment") >= LIKELY) return askNext(state, "cancel", context);
      return wantsAnotherTime(meaning, state.appointment)
        ? anotherTime(state, onTheDay(meaning, state.appointment), context)
        : null;
    },
    // As on the keypad's menu: 2 is another time.
    key: (state, key, context) => (key === "2" ? offer(state, null, context) : null),
  },
  book: {
    yes: (state, context) => offer(state, null, context),
    no: (state, context) => tell(state, "declined", context, context.lines.declined),
    other: (state, meaning, context) =>
      wantsAnotherTime(meaning) ? anotherTime(state, meaning.moment, context) : null,
  },
  change: {
    yes: (state, context) => offer(state, null, context),
    no: (state, context) => askNext(state, "cancel", context),
    other: (state, meaning, context) => {
      if (confidenceIn(meaning, "cancel_appointment") >= LIKELY) return askNext(state, "cancel", context);
      return wantsAnotherTime(meaning) ? anotherTime(state, meaning.moment, context) : null;
    },
  },
  offers: {
    no: (state, context) => anotherRound(state, null, context),
    other: (state, meaning, context) => {
      const { choice, moment } = meaning;
      if (choice && choice.confidence >= CLEARLY_CHOSEN) return readBack(state, choice.index, context);
      return wantsAnotherTime(meaning) ? anotherRound(state, moment, context) : null;
    },
    key: (state, key, context) => {
      if (key === "0") return anotherRound(state, null, context);
      return /^[1-9]$/.test(key) ? readBack(state, Number(key) - 1, context) : null;
    },
  },
  slot: {
    yes: (state) =>
      state.chosen ? work(state, { do: "book", label: state.chosen.label, name: state.callerName }) : stay(state),
    no: (state, context) => anotherRound({ ...state, chosen: null }, null, context),
    other: (state, meaning, context) => {
      const { choice } = meaning;
      if (choice && choice.confidence >= CLEARLY_CHOSEN && state.offers[choice.index] !== state.chosen) {
        return readBack(state, choice.index, context);
      }
      return wantsAnotherTime(meaning, state.chosen)
        ? anotherRound(state, onTheDay(meaning, state.chosen), context)
        : null;
    },
  },
  day: {
    no: aPersonFindsIt,
    yes: (state, context) => offer(state, state.wish?.conflict ? { ...state.wish, conflict: false } : null, context),
    other: (state, { moment }, context) => (moment ? anotherTime(state, moment, context) : null),
    key: (state, key, context) => (key === "0" ? aPersonFindsIt(state, context) : null),
  },
  cancel: {
    yes: (state) => work(state, { do: "cancel" }),
    no: keepsIt,
    other: (state, meaning, context) =>
      wantsAnotherTime(meaning) ? anotherTime(state, meaning.moment, context) : null,
  },
  callback: {
    no: (state, context) => tell(state, "call_later", context, context.lines.callLater(null)),
    other: (state, { moment }, context) => {
      const callback = callbackFrom(moment, context.now);
      return callback ? askNext({ ...state, callback }, "callback_time", context) : null;
    },
  },
  callback_time: {
    yes: (state, context) => tell(state, "call_later", context, context.lines.callLater(state.callback)),
    no: (state, context) => askNext({ ...state, callback: null }, "callback", context),
    other: (state, { moment }, context) => {
      const callback = callbackFrom(moment, context.now);
      return callback ? askNext({ ...state, callback }, "callback_time", context) : null;
    },
  },
  wait: {
    yes: (state) => work(state, { do: "wait", wish: state.wish, name: state.callerName }),
    no: (state, context) => tell(state, "nothing_open", context, context.lines.declined),
  },
  place: {
    yes: (state) =>
      state.chosen ? work(state, { do: "book", label: state.chosen.label, name: state.callerName }) : stay(state),
    no: (state, context) => askNext(state, "stay", context),
    // There is no other: whoever wants another time waits for it.
    other: (state, meaning, context) =>
      wantsAnotherTime(meaning, state.chosen) ? askNext(state, "stay", context) : null,
  },
  stay: {
    yes: (state) => declinePlace(state, true),
    no: (state) => declinePlace(state, false),
  },
  name: {
    no: withoutName,
    other: nameHeard,
    // A caller who presses a key cannot say it, or would rather not.
    key: (state, key) => (PERSON_KEY === key ? null : withoutName(state)),
  },
  name_right: {
    yes: nameAgreed,
    no: nameAgain,
    other: nameCorrected,
  },
  opt_out: {
    yes: (state, context) => tell(state, "opted_out", context, context.lines.optedOut),
    no: (state, context) => askNext(state, "identity", context),
  },
  open: {
    yes: thereIsMore,
    no: (state, context) => finishOpen(state, context),
    other: (state, meaning, context) =>
      confidenceIn(meaning, "thanks_or_bye") >= LIKELY ? finishOpen(state, context) : null,
  },
  // By danger.ts, before anything else.
  danger: {},
  doubt: {
    // What was doubted is handled by the steps, which know every answer.
    no: (state, context) => askNext({ ...state, doubted: null }, state.doubted?.before ?? "identity", context),
  },
};

function finishOpen(state: TalkState, context: TalkContext): TalkMove {
  return tell(state, state.outcome === "none" ? "acknowledged" : state.outcome, context);
}

/** They say what it is next. Whoever cannot be heard, or says no more than yes, is not asked for ever. */
function thereIsMore(state: TalkState, context: TalkContext): TalkMove {
  const again = { ...state, misunderstandings: state.misunderstandings + 1 };
  return state.isDeaf || again.misunderstandings > MOST_BARE_YESES
    ? finishOpen(again, context)
    : ask(again, "open", context);
}

/** They do not cancel, so will they come? Whoever has come round again wants neither: a person finds out what they do. */
function keepsIt(state: TalkState, context: TalkContext): TalkMove {
  const later = { ...state, rounds: state.rounds + 1 };
  return later.rounds > MOST_TIMES_KEPT ? aPersonFindsIt(later, context) : askNext(later, "attend", context);
}

function waitForThem(state: TalkState, context: TalkContext): TalkMove {
  const waiting: TalkState = {
    ...state,
    question: "fetching",
    isPatient: true,
    silences: 0,
    stage: "asking",
    lead: [],
  };
  const { action } = listen(waiting, context);
  const expecting = action?.do === "listen" ? action.expecting : "identity";
  return {
    state: waiting,
    action: { do: "say", lines: [context.lines.willWait], expecting },
  };
}

/** A choice counts once its words were told: nobody books what they have not heard. */
export function readBack(state: TalkState, index: number, context: TalkContext): TalkMove | null {
  const slot = state.offers[index];
  if (!slot) return null;
  const told = context.lines.offer(index, state.offers.length, slot);
  if (!context.told.isTold(told)) return ask(state, "offers", context);
  return askNext({ ...state, chosen: slot }, "slot", context);
}

/** They named a day: look there. They named none: ask for one, once. Then a person finds the time. */
export function anotherRound(state: TalkState, moment: Moment | null, context: TalkContext): TalkMove {
  const later = { ...state, rounds: state.rounds + 1 };
  if (later.rounds > MOST_ROUNDS) return aPersonFindsIt(later, context);
  return moment ? anotherTime(later, moment, context) : askNext(later, "day", context);
}

/** Null where the answer was not understood. */
export function spokenAnswer(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null {
  const answers = ANSWERS[state.question];
  const other = answers.other?.(state, meaning, context);
  if (other) return other;
  const yes = confidenceIn(meaning, "yes");
  const no = confidenceIn(meaning, "no");
  if (Math.max(yes, no) < LIKELY) return null;
  const intent = yes > no ? "yes" : "no";
  const answer = answers[intent];
  if (!answer || (state.question === "doubt" && intent === "yes" && yes < SURE && isHedgedYes(meaning))) return null;
  // "Was that a yes?" is not asked about an answer to itself.
  if (Math.max(yes, no) < SURE && state.question !== "doubt") {
    return askNext({ ...state, doubted: { intent, before: state.question } }, "doubt", context);
  }
  return answer(state, context);
}

export function keyAnswer(state: TalkState, key: string, context: TalkContext): TalkMove | null {
  const answers = ANSWERS[state.question];
  const own = answers.key?.(state, key, context);
  if (own) return own;
  if (state.question === "offers") return null;
  if (key === "1") return answers.yes?.(state, context) ?? null;
  return key === "2" ? (answers.no?.(state, context) ?? null) : null;
}
