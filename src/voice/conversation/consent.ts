// The question whether further calls of a purpose are welcome, before the goodbye. Only the callee's clear yes to our
// own question, heard to its end, is consent.
import type { Meaning } from "../understanding/meaning.ts";
import { LIKELY, SURE, confidenceIn, isHedgedYes } from "./confidence.ts";
import { NEVER_AGAIN_KEY, NO_KEY, PERSON_KEY, YES_KEY } from "./keys.ts";
import { ask, askNext, isMuteCall, SILENCES_MS, tell, type TalkContext } from "./moves.ts";
import type { Outcome, TalkMove, TalkState } from "./model.ts";

/** Outcomes after which the question fits: the call's business is done, and the callee has not turned anything down. */
const FITTING: readonly Outcome[] = [
  "confirmed",
  "acknowledged",
  "rescheduled",
  "booked",
  "waitlisted",
  "stays_waiting",
];

/** Replaces the closing by the question, once per call. The number of an inbound caller may be forged. */
export function withConsent(move: TalkMove, context: TalkContext): TalkMove {
  const { state } = move;
  const { call } = context;
  const isClosing = state.stage === "telling" && FITTING.includes(state.outcome);
  const isTheContact = call.isOutbound && state.isContact === true && !isMuteCall(call);
  const isAtEase = state.dangersAsked === 0 && state.refusals === 0 && state.silences < SILENCES_MS.length;
  if (!call.asksConsentFor || state.consent !== null || !isClosing || !isTheContact || !isAtEase) return move;
  return askNext({ ...state, consent: "asked", isAfterModel: false }, "consent", context, ...state.closing);
}

/** Whether the question was played to its end. */
export const isConsentTold = ({ call, phrases, told }: TalkContext): boolean =>
  call.asksConsentFor !== undefined && told.isTold(phrases.mayCall(call.asksConsentFor));

/** "Okay, bye" ends the call and agrees to nothing. */
const YES_WORD = /\b(?:yes|yeah|yep|sure|of course|certainly|you may|haa+n?|zaroor)(?![a-z])|हाँ|हां|ज़रूर|जरूर|बिल्कुल/i;

/** Without a clear answer the question is put once more. Then the call ends, and nothing is recorded. */
export function consentAnswer(state: TalkState, meaning: Meaning, context: TalkContext): TalkMove {
  if (!isConsentTold(context)) return askAgain(state, context);
  const no = Math.max(confidenceIn(meaning, "no"), confidenceIn(meaning, "not_interested"));
  if (no >= LIKELY) return refused(state, context);
  const isYes = confidenceIn(meaning, "yes") >= SURE && !isHedgedYes(meaning);
  const isGoodbye = confidenceIn(meaning, "thanks_or_bye") >= LIKELY && !YES_WORD.test(meaning.text);
  return isYes && !isGoodbye ? given(state, context) : unclear(state, context);
}

/** Null for a person and for no more calls, which are the same in every question. */
export function consentKey(state: TalkState, key: string, context: TalkContext): TalkMove | null {
  if (key === PERSON_KEY || key === NEVER_AGAIN_KEY) return null;
  if (!isConsentTold(context)) return askAgain(state, context);
  if (key === YES_KEY) return given(state, context);
  return key === NO_KEY ? refused(state, context) : unclear(state, context);
}

/** A no over the goodbye takes a yes back, or is a late answer. Null if the words are about something else. */
export function consentAtClosing(state: TalkState, isNo: boolean, context: TalkContext): TalkMove | null {
  return isNo && isAboutConsent(state) && state.consent !== "refused" ? refused(state, context) : null;
}

/** The closing followed this question, and no other was reopened since. */
export const isAboutConsent = ({ question, consent }: TalkState): boolean => question === "consent" && consent !== null;

export const unanswered = (state: TalkState, context: TalkContext): TalkMove => tell(state, state.outcome, context);

const given = (state: TalkState, context: TalkContext): TalkMove =>
  tell({ ...state, consent: "given" }, state.outcome, context, context.phrases.willCall);
const refused = (state: TalkState, context: TalkContext): TalkMove =>
  tell({ ...state, consent: "refused" }, state.outcome, context, context.phrases.willNotCall);

const unclear = (state: TalkState, context: TalkContext): TalkMove =>
  state.misunderstandings === 0
    ? ask({ ...state, misunderstandings: 1 }, "consent", context, context.phrases.notUnderstood)
    : unanswered(state, context);

/** The callee spoke over the question, so their words answer something else. */
const askAgain = (state: TalkState, context: TalkContext): TalkMove =>
  ask(state, "consent", context, ...state.lead.filter((phrase) => !context.told.isTold(phrase)));
