// Collects the data visible through a call's share link.
import { agentById } from "../../agents/store.ts";
import { toIsoOrNull } from "../../core/clock.ts";
import type { Agent } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Executor } from "../../db/tables.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import type { AnalysisSource, CallAnalytics, Utterance } from "../../payloads/conversation.ts";
import type { SharedAppointment, SharedCall } from "../../media/share-view.ts";
import { resultOf, callById } from "../call/store.ts";

/** Null if the call does not exist or was deleted. */
export async function sharedCall(
  executor: Executor,
  callId: string,
  appointmentsOf: (callId: string) => Promise<Appointment[]>,
): Promise<SharedCall | null> {
  const call = await callById(executor, callId);
  if (!call) return null;
  const agent = await agentById(executor, call.organisation_id, call.agent_id);
  const result = await resultOf(executor, callId);
  const appointments = await appointmentsOf(callId);
  return {
    call: detailsOf(call, agent),
    insights: {
      analytics: parsed<CallAnalytics>(result?.analytics),
      extracted_details: parsed<Record<string, unknown>>(result?.extracted_details),
      analysis_source: parsed<AnalysisSource>(result?.analysis_source),
    },
    transcript: parsed<Utterance[]>(result?.transcript),
    appointments: appointments.map(sharedAppointment),
  };
}

function detailsOf(call: Call, agent: Agent | undefined): SharedCall["call"] {
  const outbound = call.direction === "outbound";
  return {
    call_id: call.id,
    status: call.state,
    call_direction: call.direction,
    call_to: outbound ? call.contact_number : null,
    call_from: outbound ? null : call.contact_number,
    call_duration_seconds: call.duration_seconds,
    agent_name: agent?.name ?? null,
    contact_name: call.contact_name,
    contact_preferred_language: call.preferred_language ?? agent?.language ?? null,
    scheduled_at: toIsoOrNull(call.scheduled_at),
    call_triggered_at: toIsoOrNull(call.triggered_at),
    completed_at: toIsoOrNull(call.completed_at),
  };
}

/**
 * Lists fields explicitly, so a field added to appointments later, such as staff notes, does not become public by
 * accident.
 */
function sharedAppointment(appointment: Appointment): SharedAppointment {
  return {
    appointment_id: appointment.appointment_id,
    status: appointment.status,
    date: appointment.date,
    start_time: appointment.start_time,
    end_time: appointment.end_time,
    batch: appointment.batch,
    appointment_type_name: appointment.appointment_type_name,
  };
}

function parsed<T>(json: string | null | undefined): T | null {
  return json === null || json === undefined ? null : (JSON.parse(json) as T);
}
