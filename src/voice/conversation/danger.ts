// Emergencies, certain or suspected: the short question after a near match, the fixed phrase, and the transfer to a
// person when the callee cannot be understood. A call with a possible cry for help never ends in a goodbye.
import { respelt } from "../understanding/hinglish/spelling.ts";
import { SAID_NEAR, type Meaning } from "../understanding/meaning.ts";
import { plainWords } from "../understanding/plain-words.ts";
import { LIKELY, SURE, confidenceIn } from "./confidence.ts";
import { ask, askNext, hangUp, stay, tell, toPerson, transferTo, type TalkContext } from "./moves.ts";
import type { Phrase } from "./phrase.ts";
import type { EmergencyOutcome } from "../../payloads/emergency.ts";
import type { ConsultEnd, TransferEnd } from "../../telephony/port.ts";
import type { Outcome, TalkMove, TalkState } from "./model.ts";

/** After two denials the question is not asked again; a clear cry for help still counts. */
const MOST_QUESTIONS = 2;

/** Says the fixed phrase and transfers to a person. */
export function inDanger(state: TalkState, context: TalkContext): TalkMove {
  const { call, phrases } = context;
  return transferTo(state, context, "emergency", call.canTransfer ? phrases.emergency : phrases.emergencyAlone);
}

/** Below this, the words were merely unclear and carried no sign of danger. */
const NEAR = 0.55;

/** The utterance resembles a cry for help. */
export const isSuspicious = (state: TalkState, meaning: Meaning): boolean =>
  confidenceIn(meaning, "alarm_like") >= LIKELY && mayAsk(state);

/**
 * Machine greetings can resemble a cry for help, and a machine cannot answer the question. A clear cry counts here too.
 */
const NEVER_ASKED: readonly Outcome[] = ["emergency", "machine_answered", "message_left"];

const mayAsk = ({ dangersAsked, outcome, question }: TalkState): boolean =>
  dangersAsked < MOST_QUESTIONS && !NEVER_ASKED.includes(outcome) && question !== "danger";

/** Asks "Are you in pain or in danger?" and suspends the current question until it is answered. */
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
 * Near match while the agent is busy: during calendar work the question follows as soon as the result was told. Unclear
 * words during the closing count as a goodbye.
 */
export function suspected(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove {
  if (confidenceIn(meaning, "alarm_like") < NEAR) return stay(state);
  return state.stage === "working" ? stay({ ...state, isSuspected: true }) : askDanger(state, context, meaning);
}

/**
 * Silence after the question is not a denial. If only a sound led to the question, it is repeated once first. Null if
 * unclear words led to it: the normal silence rule applies.
 */
export function silentDanger(state: TalkState, context: TalkContext): TalkMove | null {
  const { question, beforeDanger } = state;
  if (question !== "danger" || beforeDanger?.isWeak === true) return null;
  const isRepeated = beforeDanger?.isSaid === false && !beforeDanger.isAskedAgain;
  return isRepeated ? unansweredDanger(state, context, context.phrases.areYouThere) : inDanger(state, context);
}

/** Replaces the next utterance by the danger question. */
export function afterSuspicion({ state, action }: TalkMove, context: TalkContext): TalkMove {
  const isNext = action?.do === "say" && (state.stage === "asking" || state.stage === "telling");
  if (!state.isSuspected || !isNext) return { state, action };
  if (!mayAsk(state)) return { state: { ...state, isSuspected: false }, action };
  const before = state.stage === "telling" ? state.closing : [];
  const move = askDanger(state, context);
  if (move.action?.do !== "say") return move;
  return { ...move, action: { ...move.action, phrases: [...before, ...move.action.phrases] } };
}

/**
 * The answer to the danger question. Anything but a denial counts as a yes: silence, unrecognised words, another word
 * of danger, "I am not well". `otherwise`: the callee clearly spoke of something else. Null if unclear words followed
 * unclear words.
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
  // A late match of the spotter for the same words; the question is already being asked.
  if (state.stage === "asking" && words.trim() === "" && means("emergency") < LIKELY) return stay(state);
  const isUnwell = NOT_WELL.test(words) || UNWELL.test(meaning.text);
  if (means("emergency") >= LIKELY || isUnwell) return inDanger(state, context);
  // "I have pain, I cannot walk" is not a denial, nor is "no, but my father fell".
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
 * Repeats the question once. Then its cause decides: a word of danger counts as an emergency, a sound goes to a person.
 */
export function unansweredDanger(state: TalkState, context: TalkContext, why: Phrase): TalkMove {
  const { beforeDanger, misunderstandings } = state;
  if (beforeDanger && !beforeDanger.isAskedAgain) {
    const again = { ...state, beforeDanger: { ...beforeDanger, isAskedAgain: true } };
    return ask({ ...again, misunderstandings: misunderstandings + 1 }, "danger", context, why);
  }
  return beforeDanger?.isSaid === false ? toPerson(state, context) : inDanger(state, context);
}

/** "I am not well" would be a no to other questions. */
const NOT_WELL =
  / (?:i am|we are|he is|she is|everything is|feel|feeling) not (?:very |so |really |quite |all |feeling )?(?:fine|okay|good|well|right|better|alright)(?= )| not feel(?:ing)? (?:very |so |really )?(?:fine|okay|good|well|right|better|alright)(?= )| (?:theek|achha) nahi(?= )/;

/** Matches the original text, because plain words drop "well". */
const UNWELL = /\b(?:not|\w+n['’]?t) (?:\w+ ){0,2}well\b|\bunwell\b/i;

/** "No, I am fine" would be a yes to other questions. */
const DENIAL =
  /^ (?:ji )?(?:no|nope|nah|not|nahi)(?= )| (?:i am|we are|he is|she is|everything is|all is) (?:very |all |quite )?(?:fine|okay|good|well|right|better|alright)(?= )| theek (?:hai|hoon)(?= )/;

/** Until the question was heard, words and keys answer something else. */
export const isDangerUntold = ({ question, stage }: TalkState, { told, phrases }: TalkContext): boolean =>
  question === "danger" && stage === "asking" && !told.isTold(phrases.danger);

const NO_ANSWER: readonly string[] = ["backchannel", "thanks_or_bye"];

export const backTo = (state: TalkState): TalkState => ({
  ...state,
  question: state.beforeDanger?.question ?? "identity",
  beforeDanger: null,
});

/**
 * The callee is well: resumes the suspended question. The interruption by our own question does not count against the
 * callee.
 */
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

/**
 * Result of the consultation with the desk. If the transfer failed, the callee is still on the line and is told the
 * emergency number.
 */
export function afterHandover(state: TalkState, end: ConsultEnd | TransferEnd, context: TalkContext): TalkMove {
  // Only the peer's exchange can place this call.
  if (end === "unsupported") return { state, action: { do: "transfer" } };
  const handover = HANDOVERS[end];
  const decided: TalkState = { ...state, handover };
  // Caller and desk are bridged through this line: it stays open and the agent stays silent.
  if (end === "joined") return { state: { ...decided, stage: "over" }, action: null };
  if (handover !== "busy" && handover !== "no_answer" && handover !== "refused") return hangUp(decided);
  const { phrases } = context;
  const why = { busy: phrases.deskBusy, no_answer: phrases.deskNoAnswer, refused: phrases.transferRefused }[handover];
  return tell(decided, "emergency", context, why, phrases.emergencyAlone);
}
