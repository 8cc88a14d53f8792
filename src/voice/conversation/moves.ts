// The moves available to a step of the conversation: ask, listen, start work, close.
import { SECOND_MS } from "../../core/clock.ts";
import type { Phrase } from "./phrase.ts";
import type { Meaning } from "../understanding/meaning.ts";
import type { Phrases } from "./phrases/phrases.ts";
import type {
  CallbackTime,
  Outcome,
  Question,
  Suggestion,
  TalkAction,
  TalkCall,
  TalkMove,
  TalkState,
  Told,
  Work,
} from "./model.ts";
import { closingNotices, messagePhrases } from "./notices.ts";
import { putQuestion } from "./questions.ts";

/** Input of a step besides state and event. */
export interface TalkContext {
  call: TalkCall;
  phrases: Phrases;
  told: Told;
  /** Current date and time at the branch. */
  now: CallbackTime;
  /** A language model handles turns that the rules do not. */
  isLed?: boolean;
  /** Rules that restrict the model; tests may disable single ones. */
  rules?: Partial<LedRules>;
}

export interface LedRules {
  /** Effects of the model's suggestions. */
  suggestions: Suggestions;
  /** Whether the model gets this turn; `move`: the move of the rules. */
  isForModel(state: TalkState, meaning: Meaning, move: TalkMove | null): boolean;
  /** Intents handled by rules at any point, before the model. */
  anytime(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null;
}

export type TakeSuggestion<Kind extends Suggestion["do"]> = (
  state: TalkState,
  suggestion: Extract<Suggestion, { do: Kind }>,
  context: TalkContext,
) => TalkMove | null;
export type Suggestions = { readonly [Kind in Suggestion["do"]]: TakeSuggestion<Kind> };

/** Repeats the question twice, then says goodbye. Eight seconds let an elderly person think and find a key. */
export const SILENCES_MS = [8 * SECOND_MS, 8 * SECOND_MS, 6 * SECOND_MS] as const;
/** Silence is no consent to a recording, and the call goes on. */
const RECORD_MS = 5 * SECOND_MS;
/** For fetching a person or looking for a diary. */
const PATIENT_MS = 45 * SECOND_MS;
/** From this count on, the agent names the keys with the question. */
const NAME_KEYS_AFTER = 2;
/** Limit per question; the last time the keys are named. Then a person takes over. */
const MOST_ASKINGS = 3;
/** Questions without a limit: put to robots, to a person coming to the phone, or used to resume after a model. */
const ASKED_FREELY: readonly Question[] = ["screened", "fetching", "open", "danger"];

export const stay = (state: TalkState): TalkMove => ({ state, action: null });

/** Whether the agent names the keys with the question. */
export const namesKeys = ({ isDeaf, misunderstandings }: TalkState): boolean =>
  isDeaf || misunderstandings >= NAME_KEYS_AFTER;

/** Counts how often this wording was used; null at the limit. */
export function countAsking(
  { askings, question }: TalkState,
  phrases: readonly Phrase[],
): { askings: TalkState["askings"]; isLast: boolean } | null {
  const words = phrases.map(({ text }) => text).join(" ");
  const times = (askings[words] ?? 0) + 1;
  if (times > MOST_ASKINGS && !ASKED_FREELY.includes(question)) return null;
  return { askings: { ...askings, [words]: times }, isLast: times === MOST_ASKINGS };
}

/** Asks a question after the given phrases. After three unanswered attempts a person takes over. */
export function ask(state: TalkState, question: Question, context: TalkContext, ...before: Phrase[]): TalkMove {
  const asking: TalkState = { ...state, stage: "asking", question, lead: before };
  const put = putQuestion(asking, context.call, context.phrases);
  const counted = countAsking(asking, put.phrases);
  if (!counted) return question === "consent" ? tell(state, state.outcome, context) : toPerson(state, context);
  const keys = (namesKeys(state) || counted.isLast) && put.keys ? [put.keys] : [];
  return {
    state: { ...asking, askings: counted.askings },
    action: {
      do: "say",
      phrases: [...before, ...put.phrases, ...keys],
      expecting: put.expecting,
    },
  };
}

/** Asks a new question and resets the counters. */
export const askNext = (state: TalkState, question: Question, context: TalkContext, ...before: Phrase[]): TalkMove =>
  ask({ ...state, misunderstandings: 0, silences: 0, isPatient: false }, question, context, ...before);

/** Gives the next turn to a language model, after the given phrases. */
export function lead(
  state: TalkState,
  context: TalkContext,
  unanswered: Meaning | null,
  ...before: Phrase[]
): TalkMove {
  const leading: TalkState = { ...state, stage: "asking", isAfterModel: true, unanswered, lead: before };
  const { expecting } = putQuestion(leading, context.call, context.phrases);
  return { state: leading, action: { do: "lead", phrases: before, expecting } };
}

/** The call's business is done. A model, if leading, continues; otherwise this is the closing. */
export function settle(state: TalkState, outcome: Outcome, context: TalkContext, ...said: Phrase[]): TalkMove {
  if (!context.isLed) return tell(state, outcome, context, ...said);
  const settled: TalkState = { ...state, outcome, settledBy: state.question, question: "open" };
  return lead({ ...settled, misunderstandings: 0, silences: 0 }, context, null, ...said);
}

export function listen(state: TalkState, { call, phrases }: TalkContext): TalkMove {
  const { expecting } = putQuestion(state, call, phrases);
  const usualMs = state.question === "record" ? RECORD_MS : (SILENCES_MS[state.silences] ?? SILENCES_MS[0]);
  const forMs = state.isPatient ? PATIENT_MS : usualMs;
  return { state: { ...state, stage: "listening" }, action: { do: "listen", forMs, expecting } };
}

/** "Oh" may be a misheard "no": repeats the question before the callee doubts that they were heard. */
const AFTER_SOUND_MS = 2.5 * SECOND_MS;

/** The callee made a sound that is not an answer. */
export function listenOn(state: TalkState, context: TalkContext): TalkMove {
  const { state: listening, action } = listen(state, context);
  if (action?.do !== "listen" || state.isPatient) return { state: listening, action };
  return { state: listening, action: { ...action, forMs: Math.min(action.forMs, AFTER_SOUND_MS) } };
}

/** The answer came before its question was played: plays the question, or lets it finish if it is playing. */
export const tellFirst = (state: TalkState, context: TalkContext): TalkMove =>
  context.call.byKeys && state.stage === "asking" ? stay(state) : ask(state, state.question, context);

/** With recordings only, no other text can be played. */
export const isMuteCall = ({ byKeys }: TalkCall): boolean => byKeys?.isSpoken === false;

/** The question was played to its end. */
export const asked = (state: TalkState, context: TalkContext): TalkMove =>
  listen({ ...state, isAfterModel: false, isMute: false }, context);

/** Synthesis missed its deadline. Key menus are the same on every call and already cached. */
export function unheard(state: TalkState, context: TalkContext): TalkMove {
  const { keys, expecting } = putQuestion(state, context.call, context.phrases);
  if (!keys || state.isMute) return asked(state, context);
  return { state: { ...state, isMute: true }, action: { do: "say", phrases: [keys], expecting } };
}

export const work = (state: TalkState, action: Extract<TalkAction, { do: Work }>): TalkMove => ({
  state: { ...state, stage: "working", work: action.do },
  action,
});

/** The closing of the call. */
export function tell(state: TalkState, outcome: Outcome, context: TalkContext, ...said: Phrase[]): TalkMove {
  const isAfterwards = state.question === "open" || state.question === "consent";
  const settledBy = isAfterwards ? state.settledBy : state.question;
  return {
    state: { ...state, stage: "telling", outcome, settledBy, closing: said },
    action: {
      do: "say",
      phrases: [...said, ...closingNotices(outcome, context), context.phrases.goodbye],
      expecting: "anything",
    },
  };
}

/** Long enough for the callee to start a sentence; with less, the line would close before "but". */
const LEAVING_MS = 700;

/** The closing was played: waits a moment for a reply. */
export const leave = (state: TalkState): TalkMove => ({
  state: { ...state, stage: "leaving" },
  action: { do: "listen", forMs: LEAVING_MS, expecting: "anything" },
});

export const hangUp = (state: TalkState): TalkMove => ({
  state: { ...state, stage: "over" },
  action: { do: "hangUp" },
});

/** Message for an answering machine: does not reveal the purpose and expects no answer. */
export const leaveMessage = (state: TalkState, context: TalkContext): TalkMove => ({
  state: { ...state, stage: "telling", outcome: "machine_answered" },
  action: { do: "say", phrases: messagePhrases(context), expecting: "anything" },
});

export function transferTo(state: TalkState, context: TalkContext, outcome: Outcome, phrase: Phrase): TalkMove {
  if (!context.call.canTransfer) return tell(state, outcome === "none" ? "person_wanted" : outcome, context, phrase);
  return {
    state: { ...state, stage: "working", work: "transfer", outcome },
    action: { do: "say", phrases: [phrase, ...closingNotices(outcome, context)], expecting: "anything" },
  };
}

/** Further questions do not help: transfers to a person, now or later. */
export function toPerson(state: TalkState, context: TalkContext): TalkMove {
  const { call, phrases } = context;
  return call.canTransfer && state.refusals === 0
    ? transferTo({ ...state, hasGivenUp: true }, context, "not_understood", phrases.notUnderstoodTransfer)
    : tell(state, "not_understood", context, phrases.notUnderstoodAlone);
}

/**
 * No time was agreed: the hospital calls back. An existing appointment is marked so that it does not count as
 * confirmed. Without one, the callee may join the waiting list.
 */
export function aPersonFindsIt(state: TalkState, context: TalkContext): TalkMove {
  if (state.appointment) return work(state, { do: "requestChange", wish: state.wish });
  if (context.call.canWait && !isMuteCall(context.call)) return askNext(state, "wait", context);
  return tell(state, "change_requested", context, context.phrases.changeRequested);
}

/** The calendar failed or timed out. The result is unknown, so a person checks. */
export function unreachable(state: TalkState, isLate: boolean, context: TalkContext): TalkMove {
  if (state.stage !== "working" || state.work === "transfer") return stay(state);
  if (state.work === "offer" && state.appointment && !isLate) return aPersonFindsIt(state, context);
  const before = state.work === "lookUp" ? state.lead : [];
  // A model may have other topics than the calendar.
  if (state.work === "lookUp" && context.isLed) return lead({ ...state, question: "open" }, context, null, ...before);
  return tell(state, "not_saved", context, ...before, context.phrases.unreachable);
}

export const notSaved = (state: TalkState, context: TalkContext): TalkMove =>
  tell(state, "not_saved", context, context.phrases.notSaved);

/** Introduces the offers; the wording depends on whether they match the wish. */
export function offersLead({ wish, offers }: TalkState, { phrases }: TalkContext) {
  const [first] = offers;
  const lastDay = wish?.dateEnd ?? wish?.date ?? null;
  const isElsewhere = wish?.date && lastDay && first && !(first.date >= wish.date && first.date <= lastDay);
  return isElsewhere ? phrases.nearestOffersLead : phrases.offersLead;
}

/** Ignores the result of other work. */
export const whenWorking = (state: TalkState, on: Work, then: () => TalkMove): TalkMove =>
  state.stage === "working" && state.work === on ? then() : stay(state);
