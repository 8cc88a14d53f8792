// Notices of a call, outside prompt, model and recordings. The opening precedes everything else until it was played to
// its end.
import type { NoticeKind } from "../../payloads/lawful.ts";
import type { Meaning } from "../understanding/meaning.ts";
import { LIKELY, confidenceIn } from "./confidence.ts";
import type { Outcome, TalkCall, TalkMove, TalkState, Told } from "./model.ts";
import type { Phrase } from "./phrase.ts";
import type { Phrases } from "./phrases/phrases.ts";

/** The part of TalkContext that notices need. */
export interface NoticeContext {
  call: TalkCall;
  phrases: Phrases;
  told: Told;
}

/** Help in an emergency does not wait. */
const isUrgent = ({ outcome, question }: TalkState): boolean => outcome === "emergency" || question === "danger";

/** Phrases of the opening that were not played to their end. */
const unheardOpening = ({ recordingConsent }: TalkState, { call, told }: NoticeContext): readonly Phrase[] =>
  (call.notices?.opening ?? [])
    .filter(({ notices = [] }) => notices.some((kind) => !told.isHeard(kind)))
    .filter(({ notices = [] }) => recordingConsent !== "withdrawn" || !notices.includes("recording"));

/** Notices at the beginning. */
function leading(phrases: readonly Phrase[]): readonly Phrase[] {
  const end = phrases.findIndex(({ notices }) => notices === undefined);
  return end === -1 ? phrases : phrases.slice(0, end);
}

/** Puts the opening before the next phrases of a callee who did not hear it out. */
export function withOpening(move: TalkMove, context: NoticeContext): TalkMove {
  const { state, action } = move;
  const isSaid = action?.do === "say" || action?.do === "lead";
  if (!isSaid || isUrgent(state)) return move;
  const said = new Set(leading(action.phrases).flatMap(({ notices = [] }) => notices));
  const missing = unheardOpening(state, context).filter(({ notices = [] }) => notices.some((kind) => !said.has(kind)));
  return missing.length === 0 ? move : { state, action: { ...action, phrases: [...missing, ...action.phrases] } };
}

/** The notices of the opening. Nothing else may be said where one of them has no audio. */
export const requiredNotices = ({ notices }: TalkCall): readonly NoticeKind[] =>
  (notices?.opening ?? []).flatMap(({ notices: kinds = [] }) => kinds);

/** The number to call back, if the call has one. */
const callback = ({ call, phrases }: NoticeContext): readonly Phrase[] => {
  const number = call.notices?.callbackNumber ?? null;
  return number === null ? [] : [phrases.callbackNumber(number)];
};

/** By key alone where words are not recognised. Inbound callers may use another person's phone. */
export const stopping = ({ call, phrases }: Pick<NoticeContext, "call" | "phrases">): readonly Phrase[] =>
  call.notices && call.isOutbound ? [call.byKeys ? phrases.neverAgainKey : phrases.howToStop] : [];

/** Notices before the goodbye or a transfer, except those already heard. Inbound callers know the number. */
export function closingNotices(outcome: Outcome, context: NoticeContext): readonly Phrase[] {
  if (outcome === "emergency" || !context.call.isOutbound) return [];
  const stop = outcome === "opted_out" ? [] : stopping(context);
  return [...callback(context), ...stop].filter(({ notices = [] }) => !notices.every(context.told.isHeard));
}

/** A message on a machine: who called and how to call back, and nothing of the purpose. */
export function messagePhrases(context: NoticeContext): readonly Phrase[] {
  const { call, phrases } = context;
  if (!call.notices) return [phrases.message(call)];
  const recorded = call.recording === "announce" ? [phrases.isRecorded] : [];
  return [phrases.message(call), ...recorded, ...callback(context), phrases.howToStopLater, phrases.goodbye];
}

/** Who is calling, with the number to call back. */
export const whoIsCalling = (context: NoticeContext): readonly Phrase[] => [
  context.phrases.whoIsCalling(context.call),
  ...callback(context),
];

/** The notices that the callee asked for; empty if none. */
export function requestedNotices(meaning: Meaning, context: NoticeContext): readonly Phrase[] {
  if (confidenceIn(meaning, "callback_number") >= LIKELY) return callback(context);
  return confidenceIn(meaning, "how_to_stop") >= LIKELY ? stopping(context) : [];
}
