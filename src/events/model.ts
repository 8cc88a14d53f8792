// Payloads of outbound events: one TypeBox schema each, used for types, validation and documentation.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { AppointmentSchema } from "../payloads/appointment.ts";
import { AnalysisSourceSchema, CallAnalyticsSchema, UtteranceSchema } from "../payloads/conversation.ts";
import { SlotSchema } from "../payloads/slot.ts";
import { EMERGENCY_OUTCOMES } from "../payloads/emergency.ts";
import { identifierList } from "../payloads/identifiers.ts";
import { NOTICES_FIELD, RECORDING_FIELD } from "../payloads/lawful-schema.ts";

/** Events about one date of a window include the date and its fill. */
export const SlotEventSchema = Type.Composite([
  SlotSchema,
  Type.Object({
    date: Type.Optional(Type.String({ format: "date" })),
    ai_filled_slots: Type.Optional(Type.Integer()),
    ai_available_slots: Type.Optional(Type.Integer()),
  }),
]);

export const CallEventDataSchema = Type.Object({
  call_id: Type.String(),
  sequence: Type.Integer({ description: "Number of the event within its call, from 1." }),
  status: oneOf(["initiated", "completed", "failed", "disallowed"]),
  call_direction: oneOf(["inbound", "outbound"]),
  call_to: nullable(Type.String({ description: "Populated for outbound calls." })),
  call_from: nullable(Type.String({ description: "Populated for inbound calls." })),
  call_duration_seconds: Type.Number(),
  credits_consumed: nullable(Type.Number({ description: "Only on call.completed." })),
  agent_id: nullable(Type.String()),
  agent_name: nullable(Type.String()),
  error: nullable(Type.String({ description: "Only on call.failed and call.disallowed: `code: message`." })),
  scheduled_call_id: nullable(
    Type.String({ description: "The call that was made as a direct result: a callback or a retry." }),
  ),
  simulated: Type.Boolean({ description: "The call was simulated: no telephone rang." }),
  call_triggered_at: nullable(isoTime()),
  scheduled_at: nullable(isoTime()),
  completed_at: nullable(isoTime()),
  contact_name: nullable(Type.String()),
  contact_email: nullable(Type.String()),
  contact_preferred_language: nullable(Type.String()),
  contact_identifiers: identifierList(),
  custom_data: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "additional_info of the call." })),
  call_recording: nullable(Type.String({ description: "Signed link, valid 5 minutes from the delivery attempt." })),
  call_transcript: nullable(
    Type.Union([Type.String({ description: "Signed link, valid 5 minutes." }), Type.Array(UtteranceSchema)]),
  ),
  call_details_url: nullable(Type.String({ description: "Only while public sharing is on." })),
  share_token: nullable(Type.String({ description: "Only while public sharing is on." })),
  call_analytics: nullable(CallAnalyticsSchema),
  extracted_details: nullable(Type.Record(Type.String(), Type.Unknown())),
  emergency_outcome: nullable(
    oneOf(EMERGENCY_OUTCOMES, {
      description: "How an emergency on the call was handed over; null where there was none.",
    }),
  ),
  analysis_source: nullable(AnalysisSourceSchema),
  notices: NOTICES_FIELD,
  recording: RECORDING_FIELD,
  appointment_details: nullable(AppointmentSchema),
});
export type CallEventData = Static<typeof CallEventDataSchema>;
