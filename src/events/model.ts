// What outbound events carry: one TypeBox schema per payload, for types, checks and the documentation alike.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";

export const DISPOSITIONS = [
  "appointment_booked",
  "transferred",
  "not_interested",
  "voicemail",
  "callback_scheduled",
  "ended_by_customer",
  "session_ended",
] as const;

export const CallAnalyticsSchema = Type.Object({
  summary: Type.String({ description: "What came of the call, in two or three sentences." }),
  sentiment: oneOf(["positive", "neutral", "negative"]),
  next_steps: Type.String({ description: "Recommended follow-up." }),
  disposition: oneOf(DISPOSITIONS),
});
export type CallAnalytics = Static<typeof CallAnalyticsSchema>;

export const UtteranceSchema = Type.Object({
  speaker: Type.String({ description: "Usually `agent` or `user`." }),
  text: Type.String(),
  timestamp: Type.Number({ description: "Seconds from the start of the call." }),
});
export type Utterance = Static<typeof UtteranceSchema>;

export const AppointmentSchema = Type.Object({
  appointment_id: Type.String(),
  status: oneOf(["confirmed", "completed", "cancelled", "no_show"]),
  branch_id: Type.String({ format: "uuid" }),
  slot_id: Type.String({ description: "`<calendar_id>||<YYYY-MM-DD>`" }),
  date: Type.String({ format: "date" }),
  start_time: Type.String({ description: "HH:MM in the branch's time zone." }),
  end_time: Type.String({ description: "HH:MM in the branch's time zone." }),
  batch: nullable(Type.String()),
  appointment_type_id: nullable(Type.String({ format: "uuid" })),
  appointment_type_name: nullable(Type.String()),
  contact_name: nullable(Type.String()),
  contact_number: nullable(Type.String()),
  contact_email: nullable(Type.String()),
  notes: nullable(Type.String()),
  source: oneOf(["ai", "api", "dashboard"]),
  call_id: nullable(Type.String()),
  created_at: isoTime(),
  updated_at: isoTime(),
  cancelled_at: nullable(isoTime()),
  completed_at: nullable(isoTime()),
  contact_confirmed_at: nullable(isoTime({ description: "When the contact said that they will come." })),
  change_requested_at: nullable(isoTime({ description: "When the contact asked for another time and chose none." })),
});
export type Appointment = Static<typeof AppointmentSchema>;

export const SlotSchema = Type.Object({
  slot_id: Type.String(),
  calendar_id: Type.String({ format: "uuid" }),
  parent_calendar_id: nullable(Type.String()),
  branch_id: Type.String({ format: "uuid" }),
  day: Type.String({ description: "Lowercase day of week." }),
  session: oneOf(["Morning", "Afternoon", "Evening"]),
  batch: nullable(Type.String()),
  start_time: Type.String(),
  end_time: Type.String(),
  appointment_type: nullable(Type.String({ description: "The service that the window is restricted to." })),
  max_slots: Type.Integer(),
  ai_slots: Type.Integer(),
  filled_slots: nullable(Type.Integer()),
  available_slots: nullable(Type.Integer()),
  status: oneOf(["OPEN", "CLOSED"]),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type Slot = Static<typeof SlotSchema>;

/** Events about one date of a window say which, and how full it is. */
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
  sequence: Type.Integer({ description: "Counts the events of one call from 1." }),
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
  call_triggered_at: nullable(isoTime()),
  scheduled_at: nullable(isoTime()),
  completed_at: nullable(isoTime()),
  contact_name: nullable(Type.String()),
  contact_email: nullable(Type.String()),
  contact_preferred_language: nullable(Type.String()),
  custom_data: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "additional_info of the call." })),
  call_recording: nullable(Type.String({ description: "Signed link, valid 5 minutes from the delivery attempt." })),
  call_transcript: nullable(
    Type.Union([Type.String({ description: "Signed link, valid 5 minutes." }), Type.Array(UtteranceSchema)]),
  ),
  call_details_url: nullable(Type.String({ description: "Only while public sharing is on." })),
  share_token: nullable(Type.String({ description: "Only while public sharing is on." })),
  call_analytics: nullable(CallAnalyticsSchema),
  extracted_details: nullable(Type.Record(Type.String(), Type.Unknown())),
  appointment_details: nullable(AppointmentSchema),
});
export type CallEventData = Static<typeof CallEventDataSchema>;
