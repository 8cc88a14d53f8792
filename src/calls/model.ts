// Schemas of the call routes: one source for validation, types and documentation.
import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { languageTag, nameText } from "../core/names.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { AnalysisSourceSchema, CallAnalyticsSchema, UtteranceSchema } from "../payloads/conversation.ts";
import { HOLD_REASONS, REFUSAL_CODES, type RefusalCode } from "./queue/policy.ts";
import { CALL_STATES } from "../payloads/call-state.ts";
import { EMERGENCY_OUTCOMES } from "../payloads/emergency.ts";
import { givenIdentifiers, identifierList } from "../payloads/identifiers.ts";
import { NOTICES_FIELD, RECORDING_FIELD } from "../payloads/lawful-schema.ts";
import { FAILURE_CODES, type FailureCode } from "../telephony/port.ts";

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const optionalText = (maxLength: number, description: string) => optional(Type.String({ maxLength, description }));

/** TypeBox's pattern for "any key" is `.*`, which does not match line breaks: such a key would be dropped silently. */
const anyKey = Type.String({ pattern: "^[\\s\\S]*$" });

/** Far longer than any number: the phone check reports malformed numbers with its own error code. */
const LONGEST_NUMBER_TEXT = 1_000;

const contactFields = {
  user_number: optionalText(LONGEST_NUMBER_TEXT, "E.164, +91 or +1. Required, under this name or as contact_number."),
  user_name: optional(nameText(200, { description: "Who is called." })),
  user_email: optional(nameText(254, { description: "E-mail address of the contact." })),
  user_preferred_language: optional(
    languageTag(50, { description: "BCP 47, such as hi or en-IN. Overrides the agent's language for this call." }),
  ),
  user_time_zone: optionalText(
    64,
    "IANA time zone of the callee, such as America/Chicago. Rules about hours use it instead of the area code.",
  ),
  user_region: optionalText(
    8,
    "Two letters of the callee's US state, for +1. Rules of the state apply, and its zones unless one is given.",
  ),
  user_identifiers: givenIdentifiers(),
  contact_number: optionalText(LONGEST_NUMBER_TEXT, "Legacy name of user_number. Never send both."),
  contact_name: optional(nameText(200, { description: "Legacy name of user_name." })),
  contact_email: optional(nameText(254, { description: "Legacy name of user_email." })),
  contact_preferred_language: optional(languageTag(50, { description: "Legacy name of user_preferred_language." })),
  contact_time_zone: optionalText(64, "Legacy name of user_time_zone."),
  contact_region: optionalText(8, "Legacy name of user_region."),
  contact_identifiers: givenIdentifiers("Another name of user_identifiers."),
};

export const CreateCallSchema = Type.Object({
  agent_id: Type.String({ minLength: 1, maxLength: 64, description: "An outbound agent with a phone number." }),
  ...contactFields,
  additional_info: Type.Optional(
    nullable(
      Type.Record(anyKey, Type.Unknown(), {
        description: "At most 25 pairs, 16 KiB in all; {{key}} in the agent's prompt and greeting takes the value.",
      }),
    ),
  ),
  scheduled_time: optionalText(
    40,
    "ISO 8601 with Z or an offset, in the future. Without it, about 15 seconds from now.",
  ),
});
export type CreateCallInput = Static<typeof CreateCallSchema>;

/** Fields of a scheduled call that may be changed. */
export const EditCallSchema = Type.Pick(CreateCallSchema, ["user_name", "additional_info", "scheduled_time"]);
export type EditCallInput = Static<typeof EditCallSchema>;

export const CREATE_CALL_EXAMPLE = {
  agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc",
  user_number: "+15555550100",
  user_name: "Test Patient",
  additional_info: { doctor: "Dr. Example", visit: "annual check-up" },
};

/** Why a call was refused or failed. Both lists contain invalid_number. */
export const CALL_ERROR_CODES: readonly (RefusalCode | FailureCode)[] = [
  ...new Set<RefusalCode | FailureCode>([...REFUSAL_CODES, ...FAILURE_CODES]),
];

export const CallSchema = Type.Object({
  call_id: Type.String(),
  status: oneOf(CALL_STATES),
  call_direction: oneOf(["outbound", "inbound"]),
  call_to: nullable(Type.String({ description: "Dialled number; null for inbound calls." })),
  call_from: nullable(Type.String({ description: "Caller of an inbound call; null for outbound." })),
  call_duration_seconds: nullable(Type.Number()),
  agent_id: Type.String(),
  agent_name: Type.String(),
  call_recording: nullable(Type.String({ description: "Signed link, valid for 5 minutes." })),
  call_analytics: nullable(CallAnalyticsSchema),
  call_transcript: nullable(Type.Array(UtteranceSchema)),
  call_triggered_at: nullable(isoTime()),
  scheduled_at: nullable(isoTime()),
  completed_at: nullable(isoTime()),
  error: nullable(Type.Object({ code: oneOf(CALL_ERROR_CODES), message: Type.String() })),
  contact_number: Type.String(),
  contact_name: nullable(Type.String()),
  contact_email: nullable(Type.String()),
  contact_preferred_language: nullable(Type.String()),
  contact_time_zone: nullable(Type.String({ description: "As given with the call." })),
  contact_region: nullable(Type.String({ description: "As given with the call." })),
  contact_identifiers: identifierList(),
  additional_info: nullable(Type.Record(anyKey, Type.Unknown())),
  created_at: isoTime(),
  updated_at: isoTime(),
  cancelled_at: nullable(isoTime()),
  extracted_details: nullable(Type.Record(anyKey, Type.Unknown())),
  emergency_outcome: nullable(
    oneOf(EMERGENCY_OUTCOMES, {
      description: "How an emergency on the call was handed over; null where there was none.",
    }),
  ),
  analysis_source: nullable(AnalysisSourceSchema),
  notices: NOTICES_FIELD,
  recording: RECORDING_FIELD,
  recording_expired_at: nullable(
    isoTime({ description: "When the recording was removed before the call, as set in recordings.keep_days." }),
  ),
  credits_consumed: nullable(Type.Number()),
  hold_reason: nullable(oneOf(HOLD_REASONS, { description: "Why a queued call has not gone out." })),
  next_attempt_at: nullable(isoTime({ description: "When a waiting call is looked at again." })),
  missing_placeholders: Type.Array(Type.String(), {
    description: "Placeholders of prompt and greeting without a value.",
  }),
  scheduled_call_id: nullable(Type.String({ description: "The retry or callback that follows this call." })),
  follows_call_id: nullable(Type.String({ description: "The call that this one follows." })),
  campaign_id: nullable(Type.String({ description: "The campaign that made it." })),
  simulated: Type.Boolean({ description: "The call was simulated: no telephone rang." }),
});
export type CallView = Static<typeof CallSchema>;

export const CreatedCallSchema = Type.Object({
  data: Type.Object({ call_id: Type.String(), status: oneOf(CALL_STATES), scheduled_at: isoTime() }),
});

const ObstacleSchema = Type.Object({ reason: oneOf([...HOLD_REASONS, ...REFUSAL_CODES]), message: Type.String() });

const DryRunFields = Type.Object({
  dry_run: Type.Literal(true),
  greeting: Type.String({ description: "As the agent would say it." }),
  missing_placeholders: Type.Array(Type.String()),
  scheduled_at: isoTime(),
  would_dial_at: nullable(isoTime({ description: "Null where it would not be dialled at all." })),
  held_back_by: Type.Array(ObstacleSchema),
  would_be_held_by: Type.Optional(
    Type.Array(ObstacleSchema, {
      description: "Only where rules.enforce is false, as in the demo: what would hold or refuse the call elsewhere.",
    }),
  ),
});
export type DryRun = Static<typeof DryRunFields>;

export const DryRunSchema = Type.Object({
  data: Type.Object({
    ...DryRunFields.properties,
    ignored_fields: Type.Array(Type.String(), {
      description: "Fields of the body that are not known here; at most 20 are named.",
    }),
  }),
});

export const CancelledCallSchema = Type.Object({
  data: Type.Object({ call_id: Type.String(), status: Type.Literal("cancelled"), cancelled_at: isoTime() }),
});

export const DeletedCallSchema = Type.Object({
  data: Type.Object({ call_id: Type.String(), deleted: Type.Literal(true) }),
});

export const ListCallsQuery = Type.Object({
  status: Type.Optional(Type.Unsafe<string>(oneOf(CALL_STATES))),
  agent_id: Type.Optional(Type.String({ maxLength: 64 })),
  contact_number: Type.Optional(Type.String({ maxLength: 32, description: "E.164; encode the plus as %2B." })),
  campaign_id: Type.Optional(Type.String({ maxLength: 64, description: "Calls of this campaign." })),
  created_from: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601 with offset, included." })),
  created_to: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601 with offset, excluded." })),
  limit: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,3}$",
      description: "1 to 100; 20 without it.",
      allowed: "a whole number from 1 to 100",
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListCallsInput = Static<typeof ListCallsQuery>;

export const CallListSchema = Type.Object({ data: Type.Array(CallSchema), next_cursor: nullable(Type.String()) });
