// Opening of the call: the notices, the question whether the call may be recorded, the greeting and the identity
// question.
import { ask, isMuteCall, work, type TalkContext } from "./moves.ts";
import type { TalkMove, TalkState } from "./model.ts";
import type { Phrase } from "./phrase.ts";
import { putQuestion } from "./questions.ts";

export function firstTalkMove(state: TalkState, context: TalkContext): TalkMove {
  const { call } = context;
  const opening = call.notices?.opening ?? [];
  // Without a voice nothing can be asked, and the call is not recorded.
  const isAsked = call.recording === "ask" && !isMuteCall(call);
  return isAsked ? ask(state, "record", context, ...opening) : begin(state, context, ...opening);
}

/**
 * Greeting and identity, after the given phrases. Inbound callers and open announcements skip identity. With recordings
 * only, identity cannot be asked and the recordings do not mention the appointment.
 */
export function begin(before: TalkState, context: TalkContext, ...said: readonly Phrase[]): TalkMove {
  const { call, phrases } = context;
  const state: TalkState = { ...before, question: "identity", misunderstandings: 0, silences: 0, isPatient: false };
  const lead = [...said, ...(call.greeting ? [call.greeting] : [])];
  if (!call.isOutbound) return work({ ...state, isContact: true, lead }, { do: "lookUp" });
  if (call.announcesOpenly || isMuteCall(call)) return work({ ...state, lead }, { do: "lookUp" });
  if (!call.greetingAsksIdentity) return ask(state, "identity", context, ...lead);
  const { expecting } = putQuestion(state, call, phrases);
  return { state: { ...state, stage: "asking" }, action: { do: "say", phrases: lead, expecting } };
}
