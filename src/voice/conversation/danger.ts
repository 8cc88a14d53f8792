// Danger that was said, or may have been: the short question after a near-hit, the fixed phrase, and the person that a
// call goes to when its callee cannot be understood. No call whose callee may have cried for help ends in a goodbye.
import { respelt } from "../understanding/hinglish/spelling.ts";
import { SAID_NEAR, type Meaning } from "../understanding/meaning.ts";
import { plainWords } from "../understanding/plain-words.ts";
import { LIKELY, SURE, confidenceIn } from "./confidence.ts";
import { ask, askNext, hangUp, stay, tell, toPerson, transferTo, type TalkContext } from "./moves.ts";
import type { Phrase } from "./phrases/phrase.ts";
import type { EmergencyOutcome } from "../../payloads/emergency.ts";
import type { ConsultEnd, TransferEnd } from "../../telephony/port.ts";
import type { Outcome, TalkMove, TalkState } from "./model.ts";

/** Somebody who said twice that they are well is not asked a third time; a plain cry for help still counts. */
const MOST_QUESTIONS = 2;

/** The fixed phrase, and a person. */
export function inDanger(state: TalkState, context: TalkContext): TalkMove {
  const { call, phrases } = context;
  return transferTo(state, context, "emergency", call.canTransfer ? phrases.emergency : phrases.emergencyAlone);
}

/** Below it nothing of danger was heard; words were unclear, and may have been anything. */
const NEAR = 0.55;

/** Something was heard that sounds like a cry for help. */
export const isSuspicious = (state: TalkState, meaning: Meaning): boolean =>
  confidenceIn(meaning, "alarm_like") >= LIKELY && mayAsk(state);

/**
 * A machine's greeting may sound like a cry for help, and a machine answers no question. A plain cry counts there, too.
 */
const NEVER_ASKED: readonly Outcome[] = ["emergency", "machine_answered", "message_left"];

const mayAsk = ({ dangersAsked, outcome, question }: TalkState): boolean =>
  dangersAsked < MOST_QUESTIONS && !NEVER_ASKED.includes(outcome) && question !== "danger";

/** "Are you in pain or in danger?" What was going on waits for the answer. */
export function askDanger(state: TalkState, context: TalkContext, meaning: Meaning | null = null): TalkMove {
  const { question, stage, outcome, dangersAsked, misunderstandings } = state;
  const sure = meaning === null ? 1 : confidenceIn(meaning, "alarm_like");
  const isWeak = sure < NEAR;
  const asking: TalkState = {
    ...state,
    beforeDanger: {
      question,
      closing: stage === "telling" || stage === "leaving" ? outcome : null,
      isWeak,
      isSaid: sure >= SAID_NEAR,
      isAskedAgain: false,
    },
    isSuspected: false,
    dangersAsked: dangersAsked + 1,
    misunderstandings: misunderstandings + (isWeak ? 1 : 0),
    silences: 0,
    isPatient: false,
    work: null,
  };
  return ask(asking, "danger", context, ...(isWeak ? [context.phrases.notUnderstood] : []));
}

/**
 * Not while we talk to the callee: beside the calendar's work it is asked as soon as its answer was told. Unclear words
 * in the last ones of a call are a goodbye.
 */
export function suspected(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove {
  if (confidenceIn(meaning, "alarm_like") < NEAR) return stay(state);
  return state.stage === "working" ? stay({ ...state, isSuspected: true }) : askDanger(state, context, meaning);
}

/**
 * Silence after the question is no denial. Where only a sound led to it, the question is repeated once first. Null
 * where unclear words led to it: they are asked after like any other.
 */
export function silentDanger(state: TalkState, context: TalkContext): TalkMove | null {
  const { question, beforeDanger } = state;
  if (question !== "danger" || beforeDanger?.isWeak === true) return null;
  const isRepeated = beforeDanger?.isSaid === false && !beforeDanger.isAskedAgain;
  return isRepeated ? unansweredDanger(state, context, context.phrases.areYouThere) : inDanger(state, context);
}

/** What would be said next leads to the question instead. */
export function afterSuspicion({ state, action }: TalkMove, context: TalkContext): TalkMove {
  const isNext = action?.do === "say" && (state.stage === "asking" || state.stage === "telling");
  if (!state.isSuspected || !isNext) return { state, action };
  if (!mayAsk(state)) return { state: { ...state, isSuspected: false }, action };
  const before = state.stage === "telling" ? action.phrases.filter((phrase) => phrase !== context.phrases.goodbye) : [];
  const move = askDanger(state, context);
  if (move.action?.do !== "say") return move;
  return { ...move, action: { ...move.action, phrases: [...before, ...move.action.phrases] } };
}

/**
 * The answer to the question. Whatever does not deny it counts as a yes: silence, words that are not understood,
 * another word of danger, "I am not well". `otherwise`: they spoke of something else, and plainly. Null where unclear
 * words were followed by others.
 */
export function dangerAnswer(
  state: TalkState,
  meaning: Meaning,
  context: TalkContext,
  otherwise: (state: TalkState) => TalkMove,
): TalkMove | null {
  const means = (intent: Meaning["intents"][number]["intent"]) => confidenceIn(meaning, intent);
  const isWeak = state.beforeDanger?.isWeak === true;
  const words = respelt(plainWords(meaning.text));
  // The spotter's second thought about what led to the question: it is being asked already.
  if (state.stage === "asking" && words.trim() === "" && means("emergency") < LIKELY) return stay(state);
  const isUnwell = NOT_WELL.test(words) || UNWELL.test(meaning.text);
  if (means("emergency") >= LIKELY || isUnwell) return inDanger(state, context);
  // "I have pain, I cannot walk" is no denial, and "no, but my father fell" neither.
  if (means("alarm_like") >= SAID_NEAR) return inDanger(state, context);
  if (isDangerUntold(state, context)) return unansweredDanger(state, context, context.phrases.notUnderstood);
  if (means("no") >= LIKELY || DENIAL.test(words)) return goOn(state, context);
  if (means("yes") >= (isWeak ? SURE : LIKELY)) return inDanger(state, context);
  if (means("alarm_like") >= NEAR) return inDanger(state, context);
  const isElse = meaning.intents.some(({ intent, confidence }) => confidence >= SURE && !NO_ANSWER.includes(intent));
  if (isElse) return otherwise(backTo(state));
  if (isWeak) return null;
  return state.beforeDanger?.isSaid === false
    ? unansweredDanger(state, context, context.phrases.notUnderstood)
    : inDanger(state, context);
}

/**
 * The question is put once more. Then what led to it decides: a word of danger is an emergency, a sound is for a person
 * to judge.
 */
export function unansweredDanger(state: TalkState, context: TalkContext, why: Phrase): TalkMove {
  const { beforeDanger, misunderstandings } = state;
  if (beforeDanger && !beforeDanger.isAskedAgain) {
    const again = { ...state, beforeDanger: { ...beforeDanger, isAskedAgain: true } };
    return ask({ ...again, misunderstandings: misunderstandings + 1 }, "danger", context, why);
  }
  return beforeDanger?.isSaid === false ? toPerson(state, context) : inDanger(state, context);
}

/** "I am not well" is a no to other questions. */
const NOT_WELL =
  / (?:i am|we are|he is|she is|everything is|feel|feeling) not (?:very |so |really |quite |all |feeling )?(?:fine|okay|good|well|right|better|alright)(?= )| not feel(?:ing)? (?:very |so |really )?(?:fine|okay|good|well|right|better|alright)(?= )| (?:theek|achha) nahi(?= )/;

/** As written: plain words have no "well" in them. */
const UNWELL = /\b(?:not|\w+n['’]?t) (?:\w+ ){0,2}well\b|\bunwell\b/i;

/** "No, I am fine" is a yes to other questions. */
const DENIAL =
  /^ (?:ji )?(?:no|nope|nah|not|nahi)(?= )| (?:i am|we are|he is|she is|everything is|all is) (?:very |all |quite )?(?:fine|okay|good|well|right|better|alright)(?= )| theek (?:hai|hoon)(?= )/;

/** Before the question was heard, words and keys answer something else. */
export const isDangerUntold = ({ question, stage }: TalkState, { told, phrases }: TalkContext): boolean =>
  question === "danger" && stage === "asking" && !told.isTold(phrases.danger);

const NO_ANSWER: readonly string[] = ["backchannel", "thanks_or_bye"];

export const backTo = (state: TalkState): TalkState => ({
  ...state,
  question: state.beforeDanger?.question ?? "identity",
  beforeDanger: null,
});

/** They are well: what was going on goes on. That it was cut off by our own question does not count against it. */
export function goOn(state: TalkState, context: TalkContext): TalkMove {
  const closing = state.beforeDanger?.closing ?? null;
  const back: TalkState = { ...backTo(state), askings: {} };
  if (closing === null) return askNext(back, back.question, context, context.phrases.declined);
  const cutOff = state.closing.filter((phrase) => !context.told.isTold(phrase));
  return tell(back, closing, context, context.phrases.declined, ...cutOff);
}

const HANDOVERS: Readonly<Record<ConsultEnd | TransferEnd, EmergencyOutcome>> = {
  joined: "connected",
  answered: "connected",
  handed_over: "handed_over",
  gone: "gone",
  busy: "busy",
  no_answer: "no_answer",
  refused: "refused",
  unsupported: "refused",
};

/** The desk was asked. Whoever could not be handed over is still on the line, and hears the emergency number. */
export function afterHandover(state: TalkState, end: ConsultEnd | TransferEnd, context: TalkContext): TalkMove {
  // Only the exchange at the other end can call them.
  if (end === "unsupported") return { state, action: { do: "transfer" } };
  const handover = HANDOVERS[end];
  const decided: TalkState = { ...state, handover };
  // The two talk through the line: it stays open, and there is nothing left to say.
  if (end === "joined") return { state: { ...decided, stage: "over" }, action: null };
  if (handover !== "busy" && handover !== "no_answer" && handover !== "refused") return hangUp(decided);
  const { phrases } = context;
  const why = { busy: phrases.deskBusy, no_answer: phrases.deskNoAnswer, refused: phrases.transferRefused }[handover];
  return tell(decided, "emergency", context, why, phrases.emergencyAlone);
}
