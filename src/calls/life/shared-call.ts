// A call as the holder of its share link sees it: what was said and what came of it, nothing of how Ringward runs.
import { Type, type Static } from "@sinclair/typebox";
import { agentById } from "../../agents/store.ts";
import { toIsoOrNull } from "../../core/clock.ts";
import { isoTime, nullable, oneOf } from "../../core/schema.ts";
import type { AgentRow, CallRow, Executor } from "../../db/tables.ts";
import { AppointmentSchema, CallAnalyticsSchema, UtteranceSchema } from "../../events/model.ts";
import type { Appointment, CallAnalytics, Utterance } from "../../events/model.ts";
import { CALL_STATES } from "./state.ts";
import { resultOf, callById } from "../store.ts";

// Left out on purpose: ids of the organisation and agent, prompts, hold reasons, errors, credits, the e-mail address,
// and additional_info, which integrators fill with whatever their prompts need (record numbers, notes on the patient).
const SharedDetailsSchema = Type.Object({
  call_id: Type.String(),
  status: oneOf(CALL_STATES),
  call_direction: oneOf(["outbound", "inbound"]),
  call_to: nullable(Type.String({ description: "Dialled number; null for inbound calls." })),
  call_from: nullable(Type.String({ description: "Caller of an inbound call; null for outbound." })),
  call_duration_seconds: nullable(Type.Number()),
  agent_name: nullable(Type.String()),
  contact_name: nullable(Type.String()),
  contact_preferred_language: nullable(Type.String({ description: "The language of the conversation." })),
  scheduled_at: nullable(isoTime()),
  call_triggered_at: nullable(isoTime()),
  completed_at: nullable(isoTime()),
});

const SharedAppointmentSchema = Type.Pick(AppointmentSchema, [
  "appointment_id",
  "status",
  "date",
  "start_time",
  "end_time",
  "batch",
  "appointment_type_name",
]);
export type SharedAppointment = Static<typeof SharedAppointmentSchema>;

export const SharedCallSchema = Type.Object({
  call: SharedDetailsSchema,
  insights: Type.Object({
    analytics: nullable(CallAnalyticsSchema),
    extracted_details: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Facts mentioned in the call; null before the analysis.",
      }),
    ),
  }),
  transcript: nullable(Type.Array(UtteranceSchema)),
  appointments: Type.Array(SharedAppointmentSchema),
});
export type SharedCall = Static<typeof SharedCallSchema>;

/** Null where the call does not exist, or not any more. */
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
    },
    transcript: parsed<Utterance[]>(result?.transcript),
    appointments: appointments.map(sharedAppointment),
  };
}

function detailsOf(call: CallRow, agent: AgentRow | undefined): SharedCall["call"] {
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

/** Field by field, so that what an appointment gains later (notes of the staff, say) is not public by accident. */
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
