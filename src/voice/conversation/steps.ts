// The conversation as one pure state table for words and keys: state and event give the next move. An answer counts
// while its question is asked or listened for; during calendar work or a transfer, words and keys change nothing.
import type { Meaning } from "../understanding/meaning.ts";
import { askAfterModel, isForModel, isUnasked } from "./after-model.ts";
import { answerTold, spokenAnswer, keyAnswer } from "./answers.ts";
import { anytimeReply } from "./anytime.ts";
import { LIKELY, confidenceIn, isAgreed } from "./confidence.ts";
import { unanswered, withConsent } from "./consent.ts";
import {
  afterSuspicion,
  backTo,
  dangerAnswer,
  goOn,
  inDanger,
  isDangerUntold,
  isSuspicious,
  silentDanger,
  suspected,
  unansweredDanger,
} from "./danger.ts";
import {
  afterUndo,
  farewell,
  heardAtClosing,
  isObjectionWhileOpen,
  isOpposable,
  pressedAtClosing,
  reopen,
} from "./closing.ts";
import {
  CALL_LATER_KEY,
  NEVER_AGAIN_KEY,
  NO_KEY,
  PERSON_KEY,
  REPEAT_KEY,
  STOP_RECORDING_KEY,
  YES_KEY,
} from "./keys.ts";
import {
  aPersonFindsIt,
  ask,
  asked,
  askNext,
  hangUp,
  lead,
  leave,
  leaveMessage,
  listen,
  listenOn,
  namesKeys,
  notSaved,
  offersLead,
  settle,
  SILENCES_MS,
  stay,
  tell,
  toPerson,
  transferTo,
  unheard,
  unreachable,
  whenWorking,
  work,
  type TalkContext,
} from "./moves.ts";
import type { TalkEvent, TalkMove, TalkState } from "./model.ts";
import { isAboutName, isNameSilence, withoutName } from "./name.ts";
import { withOpening } from "./notices.ts";
import { namedOffer } from "./offers.ts";
import { begin } from "./opening.ts";
import { canOptOut, optOut } from "./caller-opt-out.ts";
import { afterOptOut, optedOut } from "./opt-out.ts";
import { putQuestion } from "./questions.ts";
import { afterCancel } from "./passed-on.ts";
import { STOP_RECORDING, withdrawn } from "./recording.ts";
import { afterDecline, afterWait, nothingOpen, offerPlace, placeGone } from "./waiting.ts";
import { afterTransfer } from "./transfers.ts";
import { suggested } from "./suggestions.ts";

/** Limit of consecutive answers, by words or keys, that were not understood. */
const MOST_IN_A_ROW = 2;
/** Limit of utterances that were not understood after the model failed. */
const MOST_MISUNDERSTANDINGS = 4;
const MOST_SLOTS_GONE = 1;

type Step<Type extends TalkEvent["type"]> = (
  state: TalkState,
  event: Extract<TalkEvent, { type: Type }>,
  context: TalkContext,
) => TalkMove;
type Steps = { readonly [Type in TalkEvent["type"]]: Step<Type> };

const isOpen = ({ stage }: TalkState) => stage === "asking" || stage === "listening";
const isClosing = ({ stage }: TalkState) => stage === "telling" || stage === "leaving";

const STEPS: Steps = {
  said(state, { wasHeard }, context) {
    if (state.stage === "asking") return wasHeard ? asked(state, context) : unheard(state, context);
    // Phrases before a transfer.
    if (state.work === "transfer" && state.stage === "working")
      return { state, action: { do: state.outcome === "emergency" ? "consult" : "transfer" } };
    if (state.stage !== "telling") return stay(state);
    if (state.outcome !== "machine_answered") return leave(state);
    return hangUp(wasHeard ? { ...state, outcome: "message_left" } : state);
  },

  unnoticed: (state) => hangUp({ ...state, isUnnoticed: true }),

  heard(state, { meaning }, context) {
    if (isOpen(state)) return heardAgain(state, meaning, context);
    if (confidenceIn(meaning, "emergency") >= LIKELY) return alarmed(state, context);
    if (isSuspicious(state, meaning)) return suspected(state, meaning, context);
    if (isClosing(state)) return heardAtClosing(state, meaning, context, heard);
    return stay(isOpposable(state) ? { ...state, overheard: meaning } : state);
  },

  key(state, { key }, context) {
    if (key === NEVER_AGAIN_KEY && state.isOptedOut) return stay(state);
    if (isOpen(state)) return pressed(state, key, context);
    return isClosing(state) ? pressedAtClosing(state, key, context, heard) : stay(state);
  },

  silence(state, _, context) {
    if (state.stage === "leaving") return hangUp(state);
    if (state.stage !== "listening") return stay(state);
    const danger = silentDanger(state, context);
    if (danger) return danger;
    if (isNameSilence(state)) return withoutName(state);
    if (state.question === "record") return begin(state, context);
    if (state.question === "consent") return unanswered(state, context);
    const later = { ...state, silences: state.silences + 1, isPatient: false };
    // A callee who spoke and was not understood may have cried for help. A key without meaning was a slip.
    const wasUnclear = state.misunderstandings > 0 && !context.call.byKeys;
    if (later.silences >= SILENCES_MS.length) return wasUnclear ? toPerson(later, context) : farewell(later, context);
    const again = ask(later, state.question, context, ...(state.isPatient ? [context.phrases.areYouThere] : []));
    return again.state.stage === "asking" || wasUnclear ? again : farewell(later, context);
  },

  deaf(state, _, context) {
    const deaf = { ...state, isDeaf: true };
    if (!isOpen(state)) return stay(deaf);
    if (isAboutName(state)) return withoutName(deaf);
    if (state.question === "danger") return unansweredDanger(deaf, context, context.phrases.cannotHear);
    return ask(deaf, state.question, context, context.phrases.cannotHear);
  },

  beep: (state, _, context) =>
    isOpen(state) && state.isContact !== true && context.call.isOutbound ? leaveMessage(state, context) : stay(state),

  lookedUp(state, { appointment }, context) {
    if (state.stage !== "working" || state.work !== "lookUp") return stay(state);
    const known = { ...state, appointment };
    if (context.call.hasPlace) return work({ ...known, appointment: null }, { do: "offer", wish: null });
    if (known.appointment) return askNext(known, "attend", context, ...state.lead);
    if (context.call.canBook) return askNext(known, "book", context, ...state.lead);
    if (context.isLed) return lead({ ...known, question: "open" }, context, null, ...state.lead);
    if (context.call.byKeys) return askNext(known, "message", context, ...state.lead);
    return tell(known, "acknowledged", context, ...state.lead, context.phrases.acknowledged);
  },

  unreachable: (state, { isLate }, context) => unreachable(state, isLate, context),

  confirmed: (state, { isDone }, context) =>
    whenWorking(state, "confirm", () =>
      isDone ? settle(state, "confirmed", context, context.phrases.confirmed) : notSaved(state, context),
    ),

  cancelled: (state, { isDone }, context) =>
    whenWorking(state, "cancel", () => (isDone ? afterCancel(state, context) : notSaved(state, context))),

  changeRequested: (state, { isDone }, context) =>
    whenWorking(state, "requestChange", () =>
      isDone ? tell(state, "change_requested", context, context.phrases.changeRequested) : notSaved(state, context),
    ),

  offered: (state, { offers }, context) =>
    whenWorking(state, "offer", () => {
      const gone = state.slotsGone > 0 && state.chosen !== null ? [context.phrases.gone] : [];
      const fresh: TalkState = { ...state, offers, chosen: null };
      if (context.call.hasPlace) return offerPlace(fresh, context);
      const named = namedOffer(fresh);
      if (named) return askNext({ ...fresh, chosen: named }, "slot", context, ...gone);
      if (offers.length > 0) return askNext(fresh, "offers", context, ...gone, offersLead(fresh, context));
      if (state.wasSuggested && state.appointment)
        return askNext(fresh, "attend", context, context.phrases.nothingOpen);
      return nothingOpen(fresh, context, ...gone, context.phrases.nothingOpen);
    }),

  booked: (state, { slot }, context) =>
    whenWorking(state, "book", () => {
      if (slot) {
        const { phrases } = context;
        const appointment = { date: slot.date, startTime: slot.startTime };
        return state.appointment
          ? settle({ ...state, appointment }, "rescheduled", context, phrases.rescheduled(slot))
          : settle({ ...state, appointment }, "booked", context, phrases.booked(slot));
      }
      if (context.call.hasPlace) return placeGone(state, context);
      const gone = { ...state, slotsGone: state.slotsGone + 1 };
      return gone.slotsGone > MOST_SLOTS_GONE
        ? aPersonFindsIt(gone, context)
        : work(gone, { do: "offer", wish: state.wish });
    }),

  waited: (state, { isDone }, context) => whenWorking(state, "wait", () => afterWait(state, isDone, context)),

  placeDeclined: (state, { isDone }, context) =>
    whenWorking(state, "decline", () => afterDecline(state, isDone, context)),

  undone: (state, event, context) => whenWorking(state, "undo", () => afterUndo(state, event, context, heard)),

  transferred: (state, { outcome }, context) =>
    whenWorking(state, "transfer", () => afterTransfer(state, outcome, context)),

  led(state, { suggestion, ending }, context) {
    if (state.stage !== "asking") return stay(state);
    const answered: TalkState = { ...state, unanswered: null, misunderstandings: 0, silences: 0 };
    return (suggestion && suggested(answered, suggestion, context)) ?? afterLed(answered, ending, context);
  },

  unled(state, _, context) {
    if (state.stage !== "asking") return stay(state);
    const { unanswered } = state;
    // None of the model's answer was played.
    const alone: TalkState = { ...state, unanswered: null, isAfterModel: false };
    const builtIn: TalkContext = { ...context, isLed: false };
    return unanswered ? heard(alone, unanswered, builtIn) : withoutModel(alone, builtIn);
  },
};

/** A cry for help counts in every state, during calendar work and the closing too. */
function alarmed(state: TalkState, context: TalkContext): TalkMove {
  if (state.outcome === "emergency") return stay(state);
  // A transfer to a person is already under way.
  const isOnTheWay = state.stage === "working" && state.work === "transfer" && state.outcome !== "not_understood";
  return isOnTheWay ? stay({ ...state, outcome: "emergency" }) : inDanger(state, context);
}

/** The next move; the same state without action if the event has no meaning now. */
export function nextTalkMove(state: TalkState, event: TalkEvent, context: TalkContext): TalkMove {
  if (state.stage === "over") return stay(state);
  const wished = optedOut(withdrawn(state, event, context), event, context);
  const reaction = afterOptOut(reactionTo(wished, event, context), context);
  const move = reaction.action ? withConsent(reaction, context) : reaction;
  return move.action ? withOpening(move, context) : move;
}

function reactionTo(state: TalkState, event: TalkEvent, context: TalkContext): TalkMove {
  const step = STEPS[event.type] as Step<TalkEvent["type"]>;
  const move = afterSuspicion(step(state, event, context), context);
  const { overheard } = move.state;
  if (overheard === null || move.state.stage === "working") return move;
  // The calendar has answered; words heard meanwhile may take the answer back.
  const known: TalkMove = { ...move, state: { ...move.state, overheard: null } };
  const reaction = STEPS.heard(known.state, { type: "heard", meaning: overheard }, context);
  return reaction.action ? reaction : known;
}

/** Recognised speech ends the deaf state. A callee who was told the keys may speak them. */
function heardAgain(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove {
  const hearing: TalkState = { ...state, isDeaf: false };
  const wereKeysNamed = namesKeys(state) && putQuestion(state, context.call, context.phrases).keys !== null;
  return wereKeysNamed && meaning.key ? pressed(hearing, meaning.key, context) : heard(hearing, meaning, context);
}

function heard(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove {
  if (meaning.text.trim() === "") return stay(state);
  const danger =
    state.question === "danger" && dangerAnswer(state, meaning, context, (back) => heard(back, meaning, context));
  if (danger) return danger;
  if (isObjectionWhileOpen(state, meaning, context)) return reopen(state, meaning, context, heard);
  if (confidenceIn(meaning, "yes") >= LIKELY && isUnasked(state)) return askAfterModel(state, context);
  const doubted = state.question === "doubt" ? state.doubted : null;
  if (doubted && isAgreed(doubted, meaning)) return agreed(state, doubted, meaning, context);
  const anytime = (context.rules?.anytime ?? anytimeReply)(state, meaning, context);
  if (anytime) return anytime;
  const move = answerTold(state, context, () => spokenAnswer(state, meaning, context));
  const isTheirs = context.rules?.isForModel ?? isForModel;
  if (context.isLed && isTheirs(state, meaning, move)) return lead(state, context, meaning);
  if (move) return move;
  if (state.question === "open") return withoutModel(state, context);
  // A "thank you" before hanging up needs no reply.
  const [first] = meaning.intents;
  const isThinking = first?.intent === "backchannel" && !/ |hello/i.test(meaning.text.trim());
  const isPolite = first?.intent === "thanks_or_bye" || isThinking;
  return isPolite && state.stage === "listening" ? listenOn(state, context) : misunderstood(state, context);
}

type Doubted = NonNullable<TalkState["doubted"]>;

/** The doubted intent is confirmed and answers the question before it. */
function agreed(state: TalkState, { intent, before }: Doubted, meaning: Meaning, context: TalkContext): TalkMove {
  const certain: Meaning = { ...meaning, intents: [{ intent, confidence: 1 }], choice: null, moment: null };
  return heard({ ...state, question: before, doubted: null }, certain, context);
}

/** The model's answer was played. A question whose yes has an effect is asked again in our own words, last. */
function afterLed(
  state: TalkState,
  ending: Extract<TalkEvent, { type: "led" }>["ending"],
  context: TalkContext,
): TalkMove {
  if (state.question === "open" && ending === "question") return listen(state, context);
  if (state.question === "open" && ending === "broken") return withoutModel(state, context);
  return askAfterModel(state, context);
}

/** The model no longer leads. If the call's business is done, the call ends. */
function withoutModel(state: TalkState, context: TalkContext): TalkMove {
  if (state.question !== "open") return ask(state, state.question, context);
  if (state.outcome !== "none") return tell(state, state.outcome, context);
  const again = { ...state, misunderstandings: state.misunderstandings + 1 };
  return again.misunderstandings > MOST_MISUNDERSTANDINGS
    ? farewell(again, context)
    : ask(again, "open", context, ...(state.misunderstandings > 0 ? [context.phrases.noted] : []));
}

function pressed(state: TalkState, key: string, context: TalkContext): TalkMove {
  const { call, phrases } = context;
  if (isDangerUntold(state, context)) return pressed(backTo(state), key, context);
  if (key === REPEAT_KEY) return ask(state, state.question, context, ...state.lead);
  const stopped = key === STOP_RECORDING_KEY ? anytimeReply(state, STOP_RECORDING, context) : null;
  if (stopped) return stopped;
  if (key !== PERSON_KEY && isUnasked(state)) return askAfterModel(state, context);
  if (key === YES_KEY && state.question === "doubt" && state.doubted) {
    return agreed(state, state.doubted, { text: key, intents: [], choice: null, moment: null }, context);
  }
  if (state.question === "danger" && key === YES_KEY) return inDanger(state, context);
  if (state.question === "danger" && key === NO_KEY) return goOn(state, context);
  const own = answerTold(state, context, () => keyAnswer(state, key, context));
  if (own) return own;
  if (key === PERSON_KEY) {
    return transferTo(state, context, "none", call.canTransfer ? phrases.transfer : phrases.nobodyToTransferTo);
  }
  if (key === CALL_LATER_KEY && call.isOutbound) return tell(state, "call_later", context, phrases.callLater(null));
  if (key === NEVER_AGAIN_KEY && canOptOut(call)) return optOut(state, context);
  // From the second misunderstanding on, the agent names the keys, unless it always did.
  const least = call.byKeys ? 0 : 1;
  return misunderstood({ ...state, misunderstandings: Math.max(least, state.misunderstandings) }, context);
}

function misunderstood(state: TalkState, context: TalkContext): TalkMove {
  const again = { ...state, misunderstandings: state.misunderstandings + 1 };
  if (isAboutName(state) && again.misunderstandings >= MOST_IN_A_ROW) return withoutName(again);
  return again.misunderstandings > MOST_IN_A_ROW
    ? toPerson(again, context)
    : ask(again, state.question, context, context.phrases.notUnderstood);
}
