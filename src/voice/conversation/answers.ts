// Answers to each question, spoken or by key, and the move each leads to. An answer that a question does not list
// counts as not understood.
import type { Meaning, Moment } from "../understanding/meaning.ts";
import { LIKELY, SURE, confidenceIn, isHedgedYes } from "./confidence.ts";
import { consentAnswer, consentKey } from "./consent.ts";
import { callbackFrom } from "./callback.ts";
import { NEVER_AGAIN_KEY, NONE_SUITS_KEY, NO_KEY, PERSON_KEY, YES_KEY } from "./keys.ts";
import { aPersonFindsIt, ask, askNext, isMuteCall, stay, tell, tellFirst, work, type TalkContext } from "./moves.ts";
import type { Question, TalkAction, TalkMove, TalkState } from "./model.ts";
import { findTimes, nameAgain, nameCorrected, nameHeard, needsName, nameAgreed, withoutName } from "./name.ts";
import { keepCalls, optOut } from "./caller-opt-out.ts";
import { offerPhrase, putQuestion } from "./questions.ts";
import { passOnMove } from "./passed-on.ts";
import { recordAnswer, recordKey } from "./recording.ts";
import { declinePlace } from "./waiting.ts";

type Answer = (state: TalkState, context: TalkContext) => TalkMove;

interface Answers {
  yes?: Answer;
  no?: Answer;
  /** Answers other than yes and no. Null: not understood. */
  other?: (state: TalkState, meaning: Meaning, context: TalkContext) => TalkMove | null;
  /** Keys other than 1 (yes) and 2 (no). */
  key?: (state: TalkState, key: string, context: TalkContext) => TalkMove | null;
}

/** After this many rounds of offers a person takes over. */
export const MOST_ROUNDS = 3;
const MOST_TIMES_KEPT = 1;
const MOST_BARE_YESES = 2;
const CLEARLY_CHOSEN = 0.6;

/** Offers times near the wish. Asks an unknown caller for the name first. */
function offer(state: TalkState, wish: Moment | null, context: TalkContext): TalkMove {
  if (isMuteCall(context.call)) return aPersonFindsIt(state, context);
  if (state.appointment?.passedOn?.includes("move")) return passOnMove(state, wish, context);
  const wishing = { ...state, wish, wasSuggested: false };
  return needsName(wishing, context)
    ? askNext({ ...wishing, wasNameAsked: true }, "name", context)
    : findTimes(wishing);
}

/** The callee asks for another time; offers are near the named time, if any. */
function anotherTime(state: TalkState, moment: Moment | null, context: TalkContext): TalkMove {
  if (moment?.conflict) return askNext(state, "day", context, context.phrases.dayConflict(moment));
  return offer(state, moment, context);
}

const SAME_DAY = /\b(?:that|the same|same) day\b/i;

/** "At half past ten instead" refers to the day under discussion. */
function onTheDay({ moment, text }: Meaning, at: { date: string } | null): Moment | null {
  const isOfDay = moment?.date === null && (moment.time !== null || SAME_DAY.test(text));
  return moment && at && isOfDay ? { ...moment, date: at.date } : moment;
}

/** "Yes, Tuesday at ten" repeats the offer; "yes, but on Thursday" asks for another time. */
function wantsAnotherTime(meaning: Meaning, than: { date: string; startTime: string } | null = null): boolean {
  if (confidenceIn(meaning, "another_time") >= LIKELY) return true;
  return meaning.moment !== null && !(than && agrees(meaning.moment, than));
}

const agrees = ({ date, time }: Moment, slot: { date: string; startTime: string }): boolean =>
  (date === null || date === slot.date) && (time === null || time === slot.startTime);

/** The contact is identified, so the agent may name the purpose of the call. */
const isTheContact: Answer = (state) => work({ ...state, isContact: true, lead: [] }, { do: "lookUp" });
const hasHeard: Answer = (state, context) => tell(state, "acknowledged", context, context.phrases.acknowledged);
const isSomebodyElse: Answer = (state, context) => askNext({ ...state, isContact: false }, "fetch", context);

const identity: Answers = {
  yes: isTheContact,
  // A contact without time is called later; another person may fetch the contact.
  no: (state, context) => {
    const { call, phrases } = context;
    if (call.contactName !== null) return isSomebodyElse(state, context);
    return call.byKeys
      ? tell(state, "call_later", context, phrases.callLater(null))
      : askNext(state, "callback", context);
  },
  other: (state, meaning, context) => {
    const somebodyElse = Math.max(confidenceIn(meaning, "not_that_person"), confidenceIn(meaning, "child_or_relative"));
    return somebodyElse >= LIKELY ? isSomebodyElse(state, context) : null;
  },
};

const ANSWERS: Readonly<Record<Question, Answers>> = {
  identity,
  fetching: {
    ...identity,
    // The speaker may not be the person who went to fetch the contact, so the agent asks for identity again.
    other: (state, meaning, context) =>
      identity.other?.(state, meaning, context) ?? askNext({ ...state, isContact: null }, "identity", context),
  },
  screened: {
    // Call-screening robots speak in several sentences. Repeats who is calling until it was heard.
    other: (state, _, context) =>
      context.told.isTold(context.phrases.screened(context.call))
        ? askNext(state, "identity", context)
        : ask(state, "screened", context),
    yes: (state, context) => askNext(state, "identity", context),
  },
  fetch: {
    yes: (state, context) => waitForThem(state, context),
    no: (state, context) => tell(state, "not_reached", context, context.phrases.notReached),
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
    // Same as in the keypad menu: 2 means another time.
    key: (state, key, context) => (key === NO_KEY ? offer(state, null, context) : null),
  },
  book: {
    yes: (state, context) => offer(state, null, context),
    no: (state, context) => tell(state, "declined", context, context.phrases.declined),
    other: (state, meaning, context) =>
      wantsAnotherTime(meaning) ? anotherTime(state, meaning.moment, context) : null,
    // Previously recorded menus say: 1, I have heard it; 2, I want an appointment.
    key: (state, key, context) => {
      if (!context.call.byKeys?.hasRecordedMenu) return null;
      if (key === YES_KEY) return hasHeard(state, context);
      return key === NO_KEY ? offer(state, null, context) : null;
    },
  },
  message: { yes: hasHeard },
  record: { other: recordAnswer, key: recordKey },
  consent: { other: consentAnswer, key: consentKey },
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
      if (key === NONE_SUITS_KEY) return anotherRound(state, null, context);
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
    key: (state, key, context) => (key === NONE_SUITS_KEY ? aPersonFindsIt(state, context) : null),
  },
  cancel: {
    yes: (state) => work(state, { do: "cancel" }),
    no: keepsIt,
    other: (state, meaning, context) =>
      wantsAnotherTime(meaning) ? anotherTime(state, meaning.moment, context) : null,
  },
  callback: {
    no: (state, context) => tell(state, "call_later", context, context.phrases.callLater(null)),
    other: (state, { moment }, context) => {
      const callback = callbackFrom(moment, context.now);
      return callback ? askNext({ ...state, callback }, "callback_time", context) : null;
    },
  },
  callback_time: {
    yes: (state, context) => tell(state, "call_later", context, context.phrases.callLater(state.callback)),
    no: (state, context) => askNext({ ...state, callback: null }, "callback", context),
    other: (state, { moment }, context) => {
      const callback = callbackFrom(moment, context.now);
      return callback ? askNext({ ...state, callback }, "callback_time", context) : null;
    },
  },
  wait: {
    yes: (state) => work(state, { do: "wait", wish: state.wish, name: state.callerName }),
    no: (state, context) => tell(state, "nothing_open", context, context.phrases.declined),
  },
  place: {
    yes: (state) =>
      state.chosen ? work(state, { do: "book", label: state.chosen.label, name: state.callerName }) : stay(state),
    no: (state, context) => askNext(state, "stay", context),
    // The waiting list has one place to offer; a wish for another time leads to staying on the list.
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
    // A caller who presses a key cannot or will not say the name.
    key: (state, key) => (PERSON_KEY === key ? null : withoutName(state)),
  },
  name_right: {
    yes: nameAgreed,
    no: nameAgain,
    other: nameCorrected,
  },
  opt_out: {
    yes: (state, context) => tell(state, "opted_out", context, context.phrases.optedOut),
    no: keepCalls,
    key: (state, key, context) => (key === NEVER_AGAIN_KEY ? optOut(state, context) : null),
  },
  open: {
    yes: thereIsMore,
    no: (state, context) => finishOpen(state, context),
    other: (state, meaning, context) =>
      confidenceIn(meaning, "thanks_or_bye") >= LIKELY ? finishOpen(state, context) : null,
  },
  // Handled in danger.ts, before any other question.
  danger: {},
  doubt: {
    // A yes is handled in steps.ts, which can route the doubted intent.
    no: (state, context) => askNext({ ...state, doubted: null }, state.doubted?.before ?? "identity", context),
  },
};

function finishOpen(state: TalkState, context: TalkContext): TalkMove {
  return tell(state, state.outcome === "none" ? "acknowledged" : state.outcome, context);
}

/**
 * The callee says yes to "anything else?" and names the request next. Limits the number of retries for callees who are
 * not recognised or only say yes.
 */
function thereIsMore(state: TalkState, context: TalkContext): TalkMove {
  const again = { ...state, misunderstandings: state.misunderstandings + 1 };
  return state.isDeaf || again.misunderstandings > MOST_BARE_YESES
    ? finishOpen(again, context)
    : ask(again, "open", context);
}

/**
 * The callee keeps the appointment, so the agent asks whether they will come. On a second round a person takes over.
 */
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
  const { call, phrases } = context;
  const { phrases: question, expecting } = putQuestion(waiting, call, phrases);
  // The person who comes to the phone cannot be detected on a keypad call, so the keys are named at once.
  const named = call.byKeys ? question : [];
  return { state: waiting, action: { do: "say", phrases: [phrases.willWait, ...named], expecting } };
}

/** A choice counts only after the offer was played. */
export function readBack(state: TalkState, index: number, context: TalkContext): TalkMove | null {
  const slot = state.offers[index];
  if (!slot) return null;
  const told = offerPhrase(context.call, context.phrases, index, state.offers.length, slot);
  if (!context.told.isTold(told)) return tellFirst({ ...state, question: "offers" }, context);
  return askNext({ ...state, chosen: slot }, "slot", context);
}

/**
 * With a day: offers times there. Without one: asks for a day once, then a person takes over. Days cannot be named by
 * key.
 */
export function anotherRound(state: TalkState, moment: Moment | null, context: TalkContext): TalkMove {
  const later = { ...state, rounds: state.rounds + 1 };
  if (later.rounds > MOST_ROUNDS) return aPersonFindsIt(later, context);
  if (moment) return anotherTime(later, moment, context);
  if (!context.call.byKeys) return askNext(later, "day", context);
  return state.question === "slot" ? findTimes(later) : aPersonFindsIt(later, context);
}

/** Null if the answer was not understood. */
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
  // Doubt about the answer to "Was that a yes?" is not questioned again.
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
  if (key === YES_KEY) return answers.yes?.(state, context) ?? null;
  return key === NO_KEY ? (answers.no?.(state, context) ?? null) : null;
}

/** Actions that require the confirmed words to have been played first. */
const GRAVE: readonly (TalkAction["do"] | undefined)[] = ["confirm", "cancel", "book"];

/**
 * An answer that changes the calendar counts only after the callee heard what it agrees to; until then the agent plays
 * those words again. On keypad calls this holds for every answer, because an early key was pressed without hearing the
 * menu.
 */
export function answerTold(state: TalkState, context: TalkContext, answer: () => TalkMove | null): TalkMove | null {
  const move = answer();
  const { mustBeTold } = putQuestion(state, context.call, context.phrases);
  const isGrave = context.call.byKeys ? move !== null : GRAVE.includes(move?.action?.do);
  return isGrave && mustBeTold && !context.told.isTold(mustBeTold) ? tellFirst(state, context) : move;
}
