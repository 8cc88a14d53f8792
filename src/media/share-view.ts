// A call as the holder of its share link sees it: the conversation and its outcome, without Ringward's internals.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { AppointmentSchema } from "../payloads/appointment.ts";
import { CALL_STATES } from "../payloads/call-state.ts";
import { AnalysisSourceSchema, CallAnalyticsSchema, UtteranceSchema } from "../payloads/conversation.ts";

// Omitted on purpose: ids of the organisation and agent, prompts, hold reasons, errors, credits, the e-mail address,
// and additional_info, which integrators fill with data for their prompts (record numbers, notes on the patient).
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
    analysis_source: nullable(AnalysisSourceSchema),
  }),
  transcript: nullable(Type.Array(UtteranceSchema)),
  appointments: Type.Array(SharedAppointmentSchema),
});
export type SharedCall = Static<typeof SharedCallSchema>;
