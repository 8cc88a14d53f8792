// The few things that a step of the conversation can do: ask, listen, have something done, say goodbye.
import { SECOND_MS } from "../../core/clock.ts";
import type { Phrase } from "./phrases/phrase.ts";
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
import { putQuestion } from "./questions.ts";

/** Everything a step looks at beside state and event. */
export interface TalkContext {
  call: TalkCall;
  phrases: Phrases;
  told: Told;
  /** The branch's today and clock time. */
  now: CallbackTime;
  /** A language model answers what is not plain. */
  isLed?: boolean;
  /** What stands between it and the callee; the table's own unless a test takes one away. */
  rules?: Partial<LedRules>;
}

export interface LedRules {
  /** What its suggestions lead to. */
  suggestions: Suggestions;
  /** Whether it is asked about what was heard; `move`: what the table would do. */
  isForModel(state: TalkState, meaning: Meaning, move: TalkMove | null): boolean;
  /** What is answered by rule at any moment, before anybody else. */
  anytime(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove | null;
}

export type TakeSuggestion<Kind extends Suggestion["do"]> = (
  state: TalkState,
  suggestion: Extract<Suggestion, { do: Kind }>,
  context: TalkContext,
) => TalkMove | null;
export type Suggestions = { readonly [Kind in Suggestion["do"]]: TakeSuggestion<Kind> };

/** Asked again twice, then goodbye. Eight seconds let an elderly person think, and find a key. */
export const SILENCES_MS = [8 * SECOND_MS, 8 * SECOND_MS, 6 * SECOND_MS] as const;
/** Somebody is fetched, or looks for a diary. */
const PATIENT_MS = 45 * SECOND_MS;
/** From here on the keys are named with the question. */
const NAME_KEYS_AFTER = 2;
/** The same question is put that often, the last time with its keys. Then a person takes over. */
const MOST_ASKINGS = 3;
/** Put to robots, or to whoever comes to the phone; and the one that a model goes on from. */
const ASKED_FREELY: readonly Question[] = ["screened", "fetching", "open", "danger"];

export const stay = (state: TalkState): TalkMove => ({ state, action: null });

/** Whether the keys of a question are said with it. */
export const namesKeys = ({ isDeaf, misunderstandings }: TalkState): boolean =>
  isDeaf || misunderstandings >= NAME_KEYS_AFTER;

/** Counts how often a question was put in these words; null where that was often enough. */
export function countAsking(
  { askings, question }: TalkState,
  phrases: readonly Phrase[],
): { askings: TalkState["askings"]; isLast: boolean } | null {
  const words = phrases.map(({ text }) => text).join(" ");
  const times = (askings[words] ?? 0) + 1;
  if (times > MOST_ASKINGS && !ASKED_FREELY.includes(question)) return null;
  return { askings: { ...askings, [words]: times }, isLast: times === MOST_ASKINGS };
}

/** Puts a question, after what leads to it. What was not answered three times is for a person. */
export function ask(state: TalkState, question: Question, context: TalkContext, ...before: Phrase[]): TalkMove {
  const asking: TalkState = { ...state, stage: "asking", question, lead: before };
  const put = putQuestion(asking, context.call, context.phrases);
  const counted = countAsking(asking, put.phrases);
  if (!counted) return toPerson(state, context);
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

/** A new question: whatever was not understood before is forgiven. */
export const askNext = (state: TalkState, question: Question, context: TalkContext, ...before: Phrase[]): TalkMove =>
  ask({ ...state, misunderstandings: 0, silences: 0, isPatient: false }, question, context, ...before);

/** A language model says what comes next: to what was heard, or after these lines. */
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

/** What the call is about is done. Where a model leads, it says what is left; otherwise these are the last words. */
export function settle(state: TalkState, outcome: Outcome, context: TalkContext, ...said: Phrase[]): TalkMove {
  if (!context.isLed) return tell(state, outcome, context, ...said);
  const settled: TalkState = { ...state, outcome, settledBy: state.question, question: "open" };
  return lead({ ...settled, misunderstandings: 0, silences: 0 }, context, null, ...said);
}

export function listen(state: TalkState, { call, phrases }: TalkContext): TalkMove {
  const { expecting } = putQuestion(state, call, phrases);
  const forMs = state.isPatient ? PATIENT_MS : (SILENCES_MS[state.silences] ?? SILENCES_MS[0]);
  return { state: { ...state, stage: "listening" }, action: { do: "listen", forMs, expecting } };
}

/**
 * "Oh" may be a "no" that was misheard: the question is put again before the callee wonders whether they were heard.
 */
const AFTER_SOUND_MS = 2.5 * SECOND_MS;

/** They made a sound that answers nothing. */
export function listenOn(state: TalkState, context: TalkContext): TalkMove {
  const { state: listening, action } = listen(state, context);
  if (action?.do !== "listen" || state.isPatient) return { state: listening, action };
  return { state: listening, action: { ...action, forMs: Math.min(action.forMs, AFTER_SOUND_MS) } };
}

/** The key or the word came before what it answers: that is told first, and goes on where it is on its way. */
export const tellFirst = (state: TalkState, context: TalkContext): TalkMove =>
  context.call.byKeys && state.stage === "asking" ? stay(state) : ask(state, state.question, context);

/** Where recordings are all that is heard, nothing new can be said. */
export const isMuteCall = ({ byKeys }: TalkCall): boolean => byKeys?.isSpoken === false;

/** The question was heard out. */
export const asked = (state: TalkState, context: TalkContext): TalkMove =>
  listen({ ...state, isAfterModel: false, isMute: false }, context);

/** The voice had no sound for it in time. Keys are the same on every call, and made long before. */
export function unheard(state: TalkState, context: TalkContext): TalkMove {
  const { keys, expecting } = putQuestion(state, context.call, context.phrases);
  if (!keys || state.isMute) return asked(state, context);
  return { state: { ...state, isMute: true }, action: { do: "say", phrases: [keys], expecting } };
}

export const work = (state: TalkState, action: Extract<TalkAction, { do: Work }>): TalkMove => ({
  state: { ...state, stage: "working", work: action.do },
  action,
});

/** The last words of the call. */
export function tell(
  state: TalkState,
  outcome: Outcome,
  { phrases }: Pick<TalkContext, "phrases">,
  ...said: Phrase[]
): TalkMove {
  const settledBy = state.question === "open" ? state.settledBy : state.question;
  return {
    state: { ...state, stage: "telling", outcome, settledBy, closing: said },
    action: { do: "say", phrases: [...said, phrases.goodbye], expecting: "anything" },
  };
}

/** Long enough for somebody to begin a sentence; in a shorter pause the line would be down before "but". */
const LEAVING_MS = 700;

/** The last words were said: the callee has a moment left. */
export const leave = (state: TalkState): TalkMove => ({
  state: { ...state, stage: "leaving" },
  action: { do: "listen", forMs: LEAVING_MS, expecting: "anything" },
});

export const hangUp = (state: TalkState): TalkMove => ({
  state: { ...state, stage: "over" },
  action: { do: "hangUp" },
});

/** For a machine: nothing of what the call is about, and no answer is waited for. */
export const leaveMessage = (state: TalkState, { call, phrases }: TalkContext): TalkMove => ({
  state: { ...state, stage: "telling", outcome: "machine_answered" },
  action: { do: "say", phrases: [phrases.message(call)], expecting: "anything" },
});

export function transferTo(
  state: TalkState,
  { call, phrases }: TalkContext,
  outcome: Outcome,
  phrase: Phrase,
): TalkMove {
  if (!call.canTransfer) return tell(state, outcome === "none" ? "person_wanted" : outcome, { phrases }, phrase);
  return {
    state: { ...state, stage: "working", work: "transfer", outcome },
    action: { do: "say", phrases: [phrase], expecting: "anything" },
  };
}

/** Asking on helps nobody: a person does, now or later. */
export function toPerson(state: TalkState, context: TalkContext): TalkMove {
  const { call, phrases } = context;
  return call.canTransfer && state.refusals === 0
    ? transferTo({ ...state, hasGivenUp: true }, context, "not_understood", phrases.notUnderstoodTransfer)
    : tell(state, "not_understood", context, phrases.notUnderstoodAlone);
}

/**
 * No time was agreed on: the hospital calls them. An appointment is marked, so that it is not taken for a promise to
 * come. Whoever has none may wait for a place.
 */
export function aPersonFindsIt(state: TalkState, context: TalkContext): TalkMove {
  if (state.appointment) return work(state, { do: "requestChange" });
  if (context.call.canWait && !isMuteCall(context.call)) return askNext(state, "wait", context);
  return tell(state, "change_requested", context, context.phrases.changeRequested);
}

/** The calendar failed at once, or did not answer in time. Nobody knows what it made of it, so a person looks. */
export function unreachable(state: TalkState, isLate: boolean, context: TalkContext): TalkMove {
  if (state.stage !== "working" || state.work === "transfer") return stay(state);
  if (state.work === "offer" && state.appointment && !isLate) return aPersonFindsIt(state, context);
  const before = state.work === "lookUp" ? state.lead : [];
  // A model may have more to talk about than the calendar.
  if (state.work === "lookUp" && context.isLed) return lead({ ...state, question: "open" }, context, null, ...before);
  return tell(state, "not_saved", context, ...before, context.phrases.unreachable);
}

export const notSaved = (state: TalkState, context: TalkContext): TalkMove =>
  tell(state, "not_saved", context, context.phrases.notSaved);

/** What leads to the offers: are they near what was asked for? */
export function offersLead({ wish, offers }: TalkState, { phrases }: TalkContext) {
  const [first] = offers;
  const lastDay = wish?.dateEnd ?? wish?.date ?? null;
  const isElsewhere = wish?.date && lastDay && first && !(first.date >= wish.date && first.date <= lastDay);
  return isElsewhere ? phrases.nearestOffersLead : phrases.offersLead;
}
