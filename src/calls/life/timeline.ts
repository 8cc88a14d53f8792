// State changes of a call in order of time, for the history on the call page.
import { toIso } from "../../core/clock.ts";
import type { CallState } from "../call/records.ts";
import type { Executor } from "../../db/tables.ts";
import { callOf } from "../call/store.ts";

export interface TimelineEntry {
  state: CallState | "created";
  at: string;
}

export async function callTimeline(
  executor: Executor,
  organisationId: string,
  callId: string,
): Promise<TimelineEntry[]> {
  const call = await callOf(executor, organisationId, callId);
  if (!call) return [];
  const isEnded = call.state === "completed" || call.state === "failed" || call.state === "disallowed";
  const entries: [TimelineEntry["state"], number | null][] = [
    ["created", call.created_at],
    ["scheduled", call.scheduled_at],
    ["initiated", call.triggered_at],
    ["ringing", call.ringing_at],
    ["in_progress", call.answered_at],
    ["cancelled", call.cancelled_at],
    [call.state, isEnded ? call.completed_at : null],
  ];
  return entries.flatMap(([state, at]) => (at === null ? [] : [{ state, at: toIso(at) }]));
}
