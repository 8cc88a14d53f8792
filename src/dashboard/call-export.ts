// Calls as CSV.
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { Call } from "../calls/call/records.ts";
import { csvLine } from "../http/csv.ts";

export const EXPORT_HEAD = csvLine([
  "call_id",
  "created_at",
  "planned_for",
  "dialled_at",
  "ended_at",
  "name",
  "number",
  "direction",
  "agent",
  "state",
  "outcome",
  "fault",
  "seconds",
  "credits",
]);

export function exportLine(call: Call & { agent_name: string }): string {
  return csvLine([
    call.id,
    toIso(call.created_at),
    toIso(call.scheduled_at),
    toIsoOrNull(call.triggered_at),
    toIsoOrNull(call.finished_at),
    call.contact_name,
    call.contact_number,
    call.direction,
    call.agent_name,
    call.state,
    call.outcome,
    call.error_message,
    call.duration_seconds,
    call.credits_consumed,
  ]);
}
