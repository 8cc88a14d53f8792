// API schemas of agents and their versions.
import { Type, type Static } from "@sinclair/typebox";
import { visibleName } from "../core/names.ts";
import { LONGEST_REASON, SHORTEST_REASON } from "../core/reason.ts";
import { isoTime, nullable, oneOf, PAGE_FIELDS } from "../core/schema.ts";
import { AnalysisFieldSchema } from "../payloads/analysis-field.ts";
import { ApprovedAnswerSchema, MODEL_SPEECHES, MOST_ANSWERS } from "../payloads/approved-answer.ts";
import { PURPOSES, RECORDING_MODES } from "../payloads/lawful.ts";
import { MOST_FIELDS } from "./analysis-fields.ts";
import { CallingHoursSchema } from "./calling-hours.ts";
import {
  AGENT_LANGUAGE,
  LONGEST_GREETING,
  LONGEST_PROMPT,
  LONGEST_TRANSFER_TARGET,
  RETRY_OUTCOMES,
} from "./checked-agent.ts";
import { DLT_ID } from "./purpose.ts";

const WEEK_MINUTES = 7 * 24 * 60;

const uuid = (description: string) =>
  Type.String({
    maxLength: 36,
    pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    description,
    allowed: "a UUID",
  });
const dltId = (description: string) =>
  nullable(Type.String({ maxLength: 30, pattern: DLT_ID.source, description, allowed: "4 to 30 digits" }));

const fields = {
  type: oneOf(["outbound", "inbound"], { description: "Calls, or answers calls." }),
  name: visibleName(100),
  language: Type.String({
    maxLength: 20,
    pattern: AGENT_LANGUAGE.source,
    description: "Language tag.",
    allowed: 'a language tag such as "en-IN" or "hi"',
  }),
  voice: Type.String({ minLength: 1, maxLength: 100 }),
  prompt: Type.String({ maxLength: LONGEST_PROMPT, description: "May hold {{placeholders}}." }),
  greeting: Type.String({ maxLength: LONGEST_GREETING, description: "May hold {{placeholders}}." }),
  retry_attempts: Type.Integer({ minimum: 0, maximum: 10 }),
  retry_minutes: Type.Integer({ minimum: 1, maximum: WEEK_MINUTES }),
  retry_outcomes: Type.Array(oneOf(RETRY_OUTCOMES), {
    maxItems: RETRY_OUTCOMES.length,
    description: "Outcomes after which it calls again.",
    allowed: `a list of ${RETRY_OUTCOMES.join(", ")}`,
  }),
  calling_hours: nullable(CallingHoursSchema),
  branch_id: nullable(uuid("The branch whose name it says, and where it books.")),
  appointment_type_id: nullable(uuid("The service that it books.")),
  transfer_to: nullable(
    Type.String({
      maxLength: LONGEST_TRANSFER_TARGET,
      description: "Where a caller who wants a person goes: E.164, an extension, or a SIP address.",
    }),
  ),
  analysis_fields: Type.Array(AnalysisFieldSchema, {
    maxItems: MOST_FIELDS,
    description: "Values to extract from every call.",
  }),
  model_speech: oneOf(MODEL_SPEECHES, {
    description: "How a language model may speak. Only an owner sets `free`; a key is refused with 403.",
  }),
  approved_answers: Type.Array(ApprovedAnswerSchema, {
    maxItems: MOST_ANSWERS,
    description: "Answers that a language model may choose, spoken word for word.",
  }),
  open_announcements: Type.Boolean({ description: "May say what a call is about before the callee is confirmed." }),
  recording_mode: nullable(oneOf(RECORDING_MODES, { description: "Null: as the organisation." })),
  purpose: oneOf(PURPOSES, { description: "Why it calls." }),
  asks_consent_for: nullable(
    oneOf(PURPOSES, { description: "Purpose of further calls for which it asks consent. Null: it does not ask." }),
  ),
  dlt_entity_id: dltId("DLT registration of the hospital."),
  dlt_template_id: dltId("DLT registration of the template."),
  latest_minutes: nullable(
    Type.Integer({
      minimum: 5,
      maximum: WEEK_MINUTES,
      description: "Minutes after which a call that could not be placed is overdue. Null: the setting applies.",
    }),
  ),
};

const optional = Type.Partial(Type.Object(fields)).properties;

export const ChangeAgentSchema = Type.Object({
  ...optional,
  purpose_reason: Type.Optional(
    Type.String({
      minLength: SHORTEST_REASON,
      maxLength: LONGEST_REASON,
      description: "Why a `promotional` agent gets another purpose; required then, and recorded.",
    }),
  ),
});
export const CreateAgentSchema = Type.Object({ ...optional, name: fields.name });

export const CREATE_AGENT_EXAMPLE = {
  name: "Asha",
  language: "en-IN",
  greeting: "Hello {{user_name}}, this is Asha from {{hospital}}.",
  prompt: "Remind {{user_name}} of the visit on {{visit}}, and ask whether they will come.",
  calling_hours: { start: "09:00", end: "18:00", days: [1, 2, 3, 4, 5] },
  retry_attempts: 2,
  retry_minutes: 60,
  retry_outcomes: ["busy", "no_answer"],
};

export const AgentSchema = Type.Object({
  agent_id: Type.String(),
  ...fields,
  archived_at: nullable(isoTime({ description: "Null while the agent is in use." })),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export const AgentAnswerSchema = Type.Object({ data: AgentSchema });
export const AgentListSchema = Type.Object({
  data: Type.Array(AgentSchema),
  next_cursor: nullable(Type.String()),
});

export const ListAgentsQuery = Type.Object({
  archived: Type.Optional(
    Type.String({ pattern: "^(true|false)$", description: "true lists the archived agents, otherwise those in use." }),
  ),
  ...PAGE_FIELDS,
});
export type ListAgentsInput = Static<typeof ListAgentsQuery>;

const AUTHORS = ["key", "person", "cli", "system"] as const;

export const AgentVersionListSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      version: Type.Integer(),
      at: isoTime(),
      by: Type.Object({
        kind: oneOf(AUTHORS),
        id: nullable(Type.String({ description: "Id of the key or person." })),
      }),
      restored_from: nullable(Type.Integer({ description: "The version that was restored." })),
      changed: Type.Array(Type.String(), { description: "Fields that differ from the version before." }),
    }),
  ),
});

export const AgentVersionSchema = Type.Object({
  data: Type.Object({
    version: Type.Integer(),
    against: nullable(Type.Integer({ description: "The version it is compared with; null for the first." })),
    fields: Type.Partial(Type.Object(fields), {
      description: "The agent in this version. Fields that a later release added are missing.",
    }),
    differences: Type.Array(
      Type.Object({
        field: Type.String(),
        before: Type.Unknown({ description: "Value in `against`." }),
        after: Type.Unknown({ description: "Value in this version." }),
        pieces: nullable(
          Type.Array(Type.Object({ kind: oneOf(["same", "removed", "added"]), text: Type.String() }), {
            description: "For prompt and greeting: the words that were removed and added. Otherwise null.",
          }),
        ),
      }),
    ),
  }),
});

export const PreviewTemplateSchema = Type.Object({
  template: Type.String({ maxLength: LONGEST_PROMPT, description: "A prompt or greeting." }),
  values: Type.Record(Type.String({ pattern: "^[\\s\\S]*$" }), Type.Unknown(), {
    description: "As additional_info of a call.",
  }),
  branch_id: Type.Optional(nullable(uuid("Names the {{branch}}."))),
});
export type PreviewTemplateInput = Static<typeof PreviewTemplateSchema>;

export const PREVIEW_EXAMPLE = {
  template: "Hello {{user_name}}, this is {{hospital}}.",
  values: { user_name: "Test Patient" },
};

export const PreviewAnswerSchema = Type.Object({
  data: Type.Object({
    text: Type.String({ description: "The template with its values. Placeholders without a value are empty." }),
    missing: Type.Array(Type.String(), { description: "Placeholders without a value." }),
  }),
});
