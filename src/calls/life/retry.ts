// Whether a finished call is followed by another: the agent's retry policy, or a callback agreed in the conversation.
import { MINUTE_MS } from "../../core/clock.ts";
import type { AgentRow, CallRow } from "../../db/tables.ts";
import type { CallEnd } from "./call-end.ts";

export interface FollowUp {
  source: "retry" | "callback";
  at: number;
  retryCount: number;
}

export function followUpOf(call: CallRow, agent: AgentRow, end: CallEnd, now: number): FollowUp | null {
  if (call.direction === "inbound") return null;
  if (end.kind === "completed" && end.callbackInMinutes !== undefined) {
    return { source: "callback", at: now + end.callbackInMinutes * MINUTE_MS, retryCount: 0 };
  }
  const isRetried = agent.retry_outcomes.split(" ").includes(retryOutcomeOf(call, end) ?? "none");
  if (!isRetried || call.retry_count >= agent.retry_attempts) return null;
  return { source: "retry", at: now + agent.retry_minutes * MINUTE_MS, retryCount: call.retry_count + 1 };
}

function retryOutcomeOf(call: CallRow, end: CallEnd): string | null {
  // Somebody whose phone rang is not rung again because of a fault of ours.
  const hasRung = call.ringing_at !== null || call.answered_at !== null;
  if (end.kind === "failed" && end.code === "infrastructure_error" && hasRung) return null;
  if (end.kind === "failed") return end.code;
  return end.analytics?.disposition === "voicemail" ? "voicemail" : null;
}
