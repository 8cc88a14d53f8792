// Follow-up of a finished call: a retry by the agent's policy, or a callback agreed on in the conversation.
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import type { Agent } from "../../agents/records.ts";
import type { Agreed } from "../../voice/port.ts";
import type { CallEnd } from "./call-end.ts";
import type { Call } from "./records.ts";

const SOONEST_CALLBACK_MS = MINUTE_MS;
const LATEST_CALLBACK_MS = 60 * DAY_MS;

export interface FollowUp {
  source: "retry" | "callback";
  at: number;
  retryCount: number;
}

export function followUpOf(call: Call, agent: Agent, end: CallEnd, now: number): FollowUp | null {
  if (call.direction === "inbound") return null;
  const callback = callbackOf(end, now);
  if (callback) return callback;
  if (end.kind === "failed" && end.optOut) return null;
  if (call.campaign_id !== null) return null;
  if (!isRetriedAfter(call, agent, retryOutcomeOf(call, end) ?? "none")) return null;
  return { source: "retry", at: now + agent.retry_minutes * MINUTE_MS, retryCount: call.retry_count + 1 };
}

/**
 * Whether the call is retried: by its campaign's policy, and then the campaign creates the call; otherwise by the
 * agent's policy. The reminder rule decides on retries of reminders.
 */
export function isRetriedAfter(call: Call, agent: Agent, outcome: string): boolean {
  // A slot of the waiting list is offered to the next person instead.
  if (call.source === "waiting_list") return false;
  if (call.campaign_id !== null) return (call.campaign_retries ?? []).includes(outcome);
  if (call.source === "reminder") return false;
  return agent.retry_outcomes.includes(outcome) && call.retry_count < agent.retry_attempts;
}

/** Callback time, clamped between the soonest and the latest allowed; null if none was agreed on. */
export function callbackOf({ callbackAt, callbackInMinutes }: Agreed, now: number): FollowUp | null {
  const wished = callbackAt ?? (callbackInMinutes === undefined ? null : now + callbackInMinutes * MINUTE_MS);
  if (wished === null) return null;
  const at = Math.min(Math.max(wished, now + SOONEST_CALLBACK_MS), now + LATEST_CALLBACK_MS);
  return { source: "callback", at, retryCount: 0 };
}

function retryOutcomeOf(call: Call, end: CallEnd): string | null {
  // After the phone rang, an infrastructure fault does not lead to another call.
  const hasRung = call.ringing_at !== null || call.answered_at !== null;
  if (end.kind === "failed" && end.code === "infrastructure_error" && hasRung) return null;
  if (end.kind === "failed") return end.code;
  return end.analytics?.disposition === "voicemail" ? "voicemail" : null;
}
