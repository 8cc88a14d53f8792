// Payload of call events, field by field as in the contract. Links are added on delivery.
import { toIsoOrNull } from "../../core/clock.ts";
import type { Agent } from "../../agents/records.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import type { CallEventData } from "../../events/model.ts";
import type { CallEnd } from "./call-end.ts";
import { additionalInfoOf } from "./new-call.ts";
import type { Call } from "./records.ts";
import { emergencyOutcomeIn } from "../../payloads/emergency.ts";
import { identifiersIn } from "../../payloads/identifiers.ts";
import { noticesView, recordingView } from "../../payloads/lawful-schema.ts";

export type CallEventStatus = CallEventData["status"];

export function callEventData(
  call: Call,
  agent: Agent,
  status: CallEventStatus,
  end: CallEnd | null = null,
  appointment: Appointment | null = null,
): CallEventData {
  const conversation = end?.kind === "completed" ? end : null;
  const outbound = call.direction === "outbound";
  return {
    call_id: call.id,
    sequence: call.event_sequence,
    status,
    call_direction: call.direction,
    call_to: outbound ? call.contact_number : null,
    call_from: outbound ? null : call.contact_number,
    call_duration_seconds: call.duration_seconds ?? 0,
    credits_consumed: status === "completed" ? (call.credits_consumed ?? 0) : null,
    agent_id: agent.id,
    agent_name: agent.name,
    error: status === "failed" || status === "disallowed" ? errorText(call) : null,
    scheduled_call_id: call.scheduled_call_id,
    simulated: call.simulated,
    call_triggered_at: toIsoOrNull(call.triggered_at),
    scheduled_at: toIsoOrNull(call.scheduled_at),
    completed_at: toIsoOrNull(call.completed_at),
    contact_name: call.contact_name,
    contact_email: call.contact_email,
    contact_preferred_language: call.preferred_language ?? agent.language,
    contact_identifiers: identifiersIn(call.user_identifiers),
    custom_data: additionalInfoOf(call),
    call_recording: null,
    call_transcript: null,
    call_details_url: null,
    share_token: null,
    call_analytics: conversation?.analytics ?? null,
    extracted_details: end?.extractedDetails ?? null,
    emergency_outcome: emergencyOutcomeIn(end?.extractedDetails ?? null),
    analysis_source: conversation?.source ?? null,
    notices: noticesView(end?.notices ?? null),
    recording: recordingView(end?.recording ?? null),
    appointment_details: appointment,
  };
}

function errorText(call: Call): string | null {
  return call.error_code === null ? null : `${call.error_code}: ${call.error_message ?? ""}`;
}
