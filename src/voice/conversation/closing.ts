// The closing of a call, and replies to it. An outcome is final only if the callee does not object: an objection undoes
// the calendar change and reopens its question.
import type { Intent, Meaning, Moment } from "../understanding/meaning.ts";
import { plainWords } from "../understanding/plain-words.ts";
import { canOptOut, optOut } from "./caller-opt-out.ts";
import { LIKELY, SURE, confidenceIn } from "./confidence.ts";
import { consentAtClosing, isAboutConsent, isConsentTold } from "./consent.ts";
import { NEVER_AGAIN_KEY, NO_KEY, NONE_SUITS_KEY, PERSON_KEY, REPEAT_KEY, STOP_RECORDING_KEY } from "./keys.ts";
import { aPersonFindsIt, ask, hangUp, leave, stay, tell, transferTo, work, type TalkContext } from "./moves.ts";
import type { Outcome, Question, TalkEvent, TalkMove, TalkState, Work } from "./model.ts";
import { closingNotices, requestedNotices } from "./notices.ts";
import type { Phrase } from "./phrase.ts";
import { recordingPhrase } from "./recording.ts";
import { declinePlace } from "./waiting.ts";

/** Handles an answer to an open question. Passed in from steps.ts, which imports this file. */
type Answer = (state: TalkState, meaning: Meaning, context: TalkContext) => TalkMove;

/** After this many reversals a person takes over. */
const MOST_REOPENED = 2;
/** Fewer unknown words are more likely a misheard "bye" than an objection. */
const FEWEST_UNKNOWN_WORDS = 3;

/** Outcomes that the calendar can undo. */
const UNDONE: readonly Outcome[] = [
  "confirmed",
  "rescheduled",
  "booked",
  "cancelled",
  "cancel_requested",
  "waitlisted",
];
/** Outcomes that a bare "no" contradicts, even a polite one. */
const PROMISED: readonly Outcome[] = ["confirmed", "rescheduled", "booked", "waitlisted"];
/** Calendar operations whose answer may be taken back by words heard meanwhile. */
const ANSWERED_BY: readonly Work[] = ["confirm", "cancel", "book", "requestChange", "wait", "decline"];

/**
 * The question that an objection reopens. Outcomes not listed were already handed to a person or ended at a machine.
 */
const REOPENS: Readonly<Partial<Record<Outcome, (state: TalkState, context: TalkContext) => Question | null>>> = {
  confirmed: () => "attend",
  rescheduled: () => "slot",
  booked: (_, { call }) => (call.hasPlace ? "stay" : "slot"),
  cancelled: () => "cancel",
  cancel_requested: () => "cancel",
  waitlisted: () => "wait",
  change_requested: ({ appointment }) => (appointment ? "attend" : null),
  declined: (_, { call }) => (call.canBook && !call.hasPlace ? "book" : null),
  wrong_number: () => "identity",
  not_reached: () => "identity",
  call_later: () => "callback",
  none: ({ settledBy }) => settledBy,
};

const HARMLESS: readonly Intent[] = ["yes", "thanks_or_bye", "backchannel", "machine", "screening"];
const ASKS_AGAIN: readonly Intent[] = ["repeat", "slower", "louder", "who_is_this", "what_is_it_about"];
/** A yes with one of these words is not a clear yes. */
const HEDGE = / (?:but|except|unless|however|only if|lekin|magar|wait|लेकिन|मगर|पर)(?= )/;
/** "No, that is all, thank you" is not an objection. */
const NOTHING_ELSE =
  /^(?: (?:no|nope|nah|nahin|nahi|nothing|else|that|is|all|it|thank|thanks|you|bye|goodbye|everything|more|i|am|good|fine|okay|for|now|today|bas|ji|have|any|do|not|questions?|need|kuch|aur|नहीं|नही|जी|बस|धन्यवाद|शुक्रिया|कुछ|और|ठीक|है|\|))+ $/;

export const isOpposable = ({ work }: TalkState): boolean => work !== null && ANSWERED_BY.includes(work);

/** Words heard during the goodbye or right after it. */
export function heardAtClosing(state: TalkState, meaning: Meaning, context: TalkContext, answer: Answer): TalkMove {
  // On a machine a person may have picked up: only the wish not to be called or recorded counts.
  if (state.isOptedOut || state.outcome === "machine_answered") return stay(state);
  if (mayAskToStop(state, context) && confidenceIn(meaning, "do_not_call") >= SURE) return optOut(state, context);
  const confirmed = confidenceIn(meaning, "stop_recording") >= LIKELY ? recordingPhrase(state, context) : null;
  if (confirmed) return saidAgain(state, context, [confirmed]);
  const requested = requestedNotices(meaning, context);
  if (requested.length > 0) return saidAgain(state, context, requested);
  const refused = consentAtClosing(state, isBareNo(meaning), context);
  if (refused) return refused;
  switch (heardAs(state, meaning)) {
    case "objection":
      return reopen(state, meaning, context, answer);
    case "again":
      return saidAgain(state, context);
    case "nothing":
      if (state.stage === "leaving") return hangUp(state);
      return REOPENS[state.outcome] && isHeardOut(state, context) ? leave(state) : stay(state);
  }
}

/** A polite word does not cut off the notices. */
const isHeardOut = ({ closing, outcome }: TalkState, context: TalkContext): boolean =>
  closing.every((phrase) => context.told.isTold(phrase)) && closingNotices(outcome, context).length === 0;

/** An inbound caller may stop the calls until the line is closed. Earlier calendar changes stay in force. */
const mayAskToStop = ({ outcome }: TalkState, { call }: TalkContext): boolean =>
  !call.isOutbound && canOptOut(call) && !["emergency", "opted_out"].includes(outcome);

const APPOINTMENT =
  /\b(?:appointment|visit|booking|slot|come|coming|attend|aa|aana|aa?ung[ai])\b|अपॉइंटमेंट|बुकिंग|(?:^|\s)(?:आ|आना|आने|आऊँग[ाी])(?=[\s।]|$)/i;
/** "I do not want that" after the question about further calls is about the calls. */
const isOfAppointment = ({ text, moment }: Meaning): boolean => moment !== null || APPOINTMENT.test(text);
const isBareNo = (meaning: Meaning): boolean => confidenceIn(meaning, "no") >= LIKELY && !isOfAppointment(meaning);

/** When the call goes on after the answer, rules handle an objection to that answer. */
export function isObjectionWhileOpen(state: TalkState, meaning: Meaning, context: TalkContext): boolean {
  const isConsent = state.question === "consent";
  if ((state.question !== "open" && !isConsent) || !UNDONE.includes(state.outcome)) return false;
  const means = (intent: Intent) => confidenceIn(meaning, intent) >= LIKELY;
  if (isConsent && isConsentTold(context) && !isOfAppointment(meaning)) return false;
  if (means("another_time") || means("cancel_appointment"))
    return !["cancelled", "cancel_requested"].includes(state.outcome);
  return means("no") && !NOTHING_ELSE.test(plainWords(meaning.text));
}

/** A key that contradicts what was just agreed. Pressing the same key again has no effect. */
export function pressedAtClosing(state: TalkState, key: string, context: TalkContext, answer: Answer): TalkMove {
  const { call, phrases } = context;
  if (key === NEVER_AGAIN_KEY && mayAskToStop(state, context)) return optOut(state, context);
  const confirmed = key === STOP_RECORDING_KEY ? recordingPhrase(state, context) : null;
  if (confirmed) return saidAgain(state, context, [confirmed]);
  const refused = consentAtClosing(state, key === NO_KEY, context);
  if (refused) return refused;
  if (!REOPENS[state.outcome] || (isAboutConsent(state) && key === NO_KEY)) return stay(state);
  if (key === REPEAT_KEY) return saidAgain(state, context);
  if (key === PERSON_KEY) {
    return transferTo(state, context, state.outcome, call.canTransfer ? phrases.transfer : phrases.nobodyToTransferTo);
  }
  if ((key !== NO_KEY && key !== NONE_SUITS_KEY) || !UNDONE.includes(state.outcome)) return stay(state);
  const no: Meaning = { text: "no", intents: [{ intent: "no", confidence: 1 }], choice: null, moment: null };
  return reopen(state, no, context, answer);
}

function heardAs(state: TalkState, meaning: Meaning): "objection" | "again" | "nothing" {
  const { outcome, appointment, closing } = state;
  const words = plainWords(meaning.text);
  const isNoAgain = isAboutConsent(state) && isBareNo(meaning);
  if (!REOPENS[outcome] || words.trim() === "" || isNoAgain) return "nothing";
  const likely = meaning.intents.filter(({ confidence }) => confidence >= LIKELY).map(({ intent }) => intent);
  const isPolite = !PROMISED.includes(outcome) && likely.includes("thanks_or_bye") && NOTHING_ELSE.test(words);
  if (isPolite) return "nothing";
  if (likely.some((intent) => !HARMLESS.includes(intent) && !ASKS_AGAIN.includes(intent))) return "objection";
  if (likely.some((intent) => ASKS_AGAIN.includes(intent))) return "again";
  if (HEDGE.test(words) || isElsewhere(meaning.moment, appointment)) return "objection";
  if (likely.length > 0) return "nothing";
  const count = words.split(" ").filter((word) => /[^|]/.test(word)).length;
  const isEcho = closing.some(({ text }) => plainWords(text).includes(words.replaceAll(" |", "").trimEnd()));
  return count >= FEWEST_UNKNOWN_WORDS && !isEcho ? "objection" : "nothing";
}

const isElsewhere = (moment: Moment | null, at: TalkState["appointment"]): boolean =>
  moment !== null &&
  at !== null &&
  ((moment.date !== null && moment.date !== at.date) || (moment.time !== null && moment.time !== at.startTime));

/** Repeats the closing, or the part that the callee asked for. */
function saidAgain(state: TalkState, context: TalkContext, said: readonly Phrase[] = state.closing): TalkMove {
  const again = { ...state, reopened: state.reopened + 1 };
  return again.reopened > MOST_REOPENED ? stay(state) : tell(again, state.outcome, context, ...said);
}

/** Undoes the answer in the calendar if it was stored, then asks again. */
export function reopen(state: TalkState, meaning: Meaning, context: TalkContext, answer: Answer): TalkMove {
  const question = REOPENS[state.outcome]?.(state, context) ?? null;
  if (question === null) return stay(state);
  const reopened: TalkState = {
    ...state,
    outcome: "none",
    question,
    overheard: meaning,
    reopened: state.reopened + 1,
    misunderstandings: 0,
    silences: 0,
    isPatient: false,
  };
  return UNDONE.includes(state.outcome) ? work(reopened, { do: "undo" }) : answerAgain(reopened, context, answer);
}

export function afterUndo(
  state: TalkState,
  { isDone, appointment }: Extract<TalkEvent, { type: "undone" }>,
  context: TalkContext,
  answer: Answer,
): TalkMove {
  const stands: TalkState = { ...state, appointment };
  // The old slot is taken. The hospital is notified, and a person resolves the remaining appointment.
  if (!isDone)
    return tell({ ...stands, overheard: null }, "change_requested", context, context.phrases.changeRequested);
  return answerAgain(stands, context, answer);
}

function answerAgain(state: TalkState, context: TalkContext, answer: Answer): TalkMove {
  const { overheard, question } = state;
  const open: TalkState = { ...state, stage: "asking", overheard: null };
  if (state.reopened > MOST_REOPENED) return unsettled(open, context);
  // A yes in the earlier words answered a different question.
  const isClear = overheard !== null && overheard.intents.length > 0 && confidenceIn(overheard, "yes") < LIKELY;
  const move = isClear ? answer(open, overheard, context) : null;
  return move?.action ? move : ask(open, question, context, context.phrases.notUnderstood);
}

/** The callee's wish is unclear: a person calls them. */
export function unsettled(state: TalkState, context: TalkContext): TalkMove {
  if (state.appointment) return aPersonFindsIt(state, context);
  return tell(state, "person_wanted", context, context.phrases.nobodyToTransferTo);
}

/** Outcomes that later talk does not change. */
const SETTLED: readonly Outcome[] = ["confirmed", "rescheduled", "booked", "waitlisted"];

/**
 * The callee stopped answering. A person finds out what they wanted to change; an unconfirmed choice is not an
 * agreement.
 */
export function farewell(state: TalkState, context: TalkContext): TalkMove {
  // Silence does not remove the callee from the list.
  if (state.question === "stay") return declinePlace(state, true);
  if (state.reopened > 0 && state.outcome === "none") return unsettled(state, context);
  const isOurs = state.wasSuggested || SETTLED.includes(state.outcome);
  if (!isOurs && ["offers", "slot", "day", "change"].includes(state.question) && state.appointment) {
    return aPersonFindsIt(state, context);
  }
  if (!isOurs && state.question === "callback")
    return tell(state, "call_later", context, context.phrases.callLater(null));
  const wasHeardOut = state.question === "open" && state.outcome === "none";
  return tell(state, wasHeardOut ? "acknowledged" : state.outcome, context);
}
