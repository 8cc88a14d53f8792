// Calls as CSV.
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { ExportedCall } from "../calls/many-calls.ts";
import { csvLine } from "../core/csv-line.ts";
import { identifiersIn, identifiersText } from "../payloads/identifiers.ts";

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
  "purpose",
  "dlt_entity_id",
  "dlt_template_id",
  "identifiers",
]);

/** The purpose is that of the dialled call; the DLT ids are those that the agent has now. */
export function exportLine(call: ExportedCall): string {
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
    call.purpose,
    call.dlt_entity_id,
    call.dlt_template_id,
    identifiersText(identifiersIn(call.user_identifiers)),
  ]);
}
