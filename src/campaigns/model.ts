// Schemas of the campaign routes: one source for validation, types and documentation.
import { Type, type Static } from "@sinclair/typebox";
import { CallingHoursSchema } from "../agents/calling-hours.ts";
import { CreateCallSchema } from "../calls/model.ts";
import { visibleName } from "../core/names.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { CALL_STATES } from "../payloads/call-state.ts";
import { identifierList } from "../payloads/identifiers.ts";
import { AnalysisSourceSchema, DISPOSITIONS } from "../payloads/conversation.ts";
import { OUTCOMES, RetryPolicySchema } from "./retry.ts";
import { CAMPAIGN_STATES } from "./state.ts";

export const MOST_ROWS = 10_000;
/** 10,000 rows of 800 bytes each. */
const MOST_CAMPAIGN_BYTES = 8 * 1024 * 1024;
export const LARGE_CAMPAIGN = { mostBytes: MOST_CAMPAIGN_BYTES, list: { field: "rows", mostItems: MOST_ROWS } };
export const MOST_PER_MINUTE = 6_000;
export const DEFAULT_PER_MINUTE = 30;
export const ROW_STATES = ["waiting", "calling", "done", "cancelled"] as const;

const { agent_id: _, ...rowFields } = CreateCallSchema.properties;

/** One row: the fields of POST /v1/calls without the agent. */
export const CampaignRowSchema = Type.Object(rowFields);
export type CampaignRowInput = Static<typeof CampaignRowSchema>;

/** For documentation only: rows are validated one by one, so an invalid row is rejected individually and reported. */
const documentedRow = Type.Unknown({
  type: "object",
  properties: {
    ...rowFields,
    row: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: "The number by which you know the row." }),
    ),
  },
  description: "As for POST /v1/calls, without agent_id. A row at fault is refused by itself.",
});

export const CreateCampaignSchema = Type.Object({
  name: visibleName(100),
  agent_id: Type.String({ minLength: 1, maxLength: 64, description: "An outbound agent with a phone number." }),
  rows: Type.Array(documentedRow, {
    minItems: 1,
    maxItems: MOST_ROWS,
    description: "The people to call, in this order.",
    allowed: `a list of 1 to ${MOST_ROWS} rows`,
  }),
  start_at: Type.Optional(
    nullable(
      Type.String({ maxLength: 40, description: "ISO 8601 with Z or an offset, in the future. Without it, now." }),
    ),
  ),
  calls_per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_PER_MINUTE, description: `${DEFAULT_PER_MINUTE} without it.` }),
  ),
  calling_hours: Type.Optional(nullable(CallingHoursSchema)),
  retry: Type.Optional(RetryPolicySchema),
});
export type CampaignInput = Static<typeof CreateCampaignSchema>;

export const CREATE_CAMPAIGN_EXAMPLE = {
  name: "Check-ups in March",
  agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc",
  calls_per_minute: 30,
  retry: { no_answer: { attempts: 2, minutes: 60 } },
  rows: [
    { user_number: "+15555550100", user_name: "Test Patient", additional_info: { doctor: "Dr. Example" } },
    { user_number: "+15555550101", user_name: "Other Patient", additional_info: { doctor: "Dr. Example" } },
  ],
};

const RefusedRow = Type.Object({
  row: Type.Integer({ description: "From 1, in the order in which the rows were sent." }),
  field: Type.String(),
  message: Type.String(),
});
export type RefusedRow = Static<typeof RefusedRow>;

export const CreatedCampaignSchema = Type.Object({
  data: Type.Object({
    campaign_id: Type.String(),
    accepted: Type.Integer({ description: "How many rows will be called." }),
    refused: Type.Array(RefusedRow),
  }),
});
export type CreatedCampaign = Static<typeof CreatedCampaignSchema>["data"];

export const CampaignDryRunSchema = Type.Object({
  data: Type.Object({
    dry_run: Type.Literal(true),
    accepted: Type.Integer(),
    refused: Type.Array(RefusedRow),
    duplicates: Type.Array(Type.Object({ row: Type.Integer(), same_as: Type.Integer() }), {
      description: "Rows with a number that an earlier row has. They are called all the same, one after the other.",
    }),
    do_not_disturb: Type.Array(Type.Integer(), {
      description: "Rows whose number is on the list. They are not called.",
    }),
    missing_placeholders: Type.Array(Type.Object({ name: Type.String(), rows: Type.Integer() }), {
      description: "Placeholders of prompt and greeting, and in how many rows they have no value.",
    }),
    greeting: nullable(Type.String({ description: "As the agent would say it to the first accepted row." })),
    starts_at: isoTime(),
    ends_at: isoTime({
      description: "When the last call would go out at this pace, without retries and calling hours.",
    }),
  }),
});
export type CampaignDryRun = Static<typeof CampaignDryRunSchema>["data"];

const count = () => Type.Integer({ minimum: 0 });

export const CampaignSchema = Type.Object({
  campaign_id: Type.String(),
  name: Type.String(),
  agent_id: Type.String(),
  agent_name: Type.String(),
  state: oneOf(CAMPAIGN_STATES),
  created_at: isoTime(),
  start_at: isoTime(),
  finished_at: nullable(isoTime()),
  calls_per_minute: Type.Integer(),
  calling_hours: nullable(CallingHoursSchema),
  retry: RetryPolicySchema,
  rows: count(),
  progress: Type.Object({
    waiting: count(),
    calling: count(),
    talking: Type.Integer({ description: "Those of `calling` that are on the line." }),
    done: count(),
    cancelled: count(),
    failed: Type.Integer({ description: "Those of `done` that retry would call again." }),
    outcomes: Type.Record(Type.String(), Type.Integer(), { description: `Of \`done\`: ${OUTCOMES.join(", ")}.` }),
  }),
});
export type CampaignView = Static<typeof CampaignSchema>;

export const CampaignListSchema = Type.Object({
  data: Type.Array(CampaignSchema),
  next_cursor: nullable(Type.String()),
});

const pageFields = {
  limit: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,3}$",
      description: "1 to 100; 20 without it.",
      allowed: "a whole number from 1 to 100",
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
};

export const ListCampaignsQuery = Type.Object(pageFields);
export type ListCampaignsInput = Static<typeof ListCampaignsQuery>;

export const ListResultsQuery = Type.Object({
  state: Type.Optional(Type.Unsafe<string>(oneOf(ROW_STATES))),
  outcome: Type.Optional(Type.Unsafe<string>(oneOf(OUTCOMES))),
  ...pageFields,
});
export type ListResultsInput = Static<typeof ListResultsQuery>;

export const CampaignResultSchema = Type.Object({
  row: Type.Integer(),
  state: oneOf(ROW_STATES),
  outcome: nullable(oneOf(OUTCOMES)),
  attempts: Type.Integer({ description: "How many calls were made." }),
  next_attempt_at: nullable(isoTime({ description: "Not before this; null where none is to come." })),
  contact_number: nullable(Type.String({ description: "Null once the person's data are erased." })),
  contact_name: nullable(Type.String()),
  contact_identifiers: identifierList(),
  call_id: nullable(Type.String({ description: "The newest call." })),
  call_status: nullable(oneOf(CALL_STATES)),
  call_duration_seconds: nullable(Type.Number()),
  completed_at: nullable(isoTime()),
  disposition: nullable(oneOf(DISPOSITIONS)),
  summary: nullable(Type.String()),
  extracted_details: nullable(Type.Record(Type.String({ pattern: "^[\\s\\S]*$" }), Type.Unknown())),
  analysis_source: nullable(AnalysisSourceSchema),
});
export type CampaignResult = Static<typeof CampaignResultSchema>;

export const CampaignResultListSchema = Type.Object({
  data: Type.Array(CampaignResultSchema),
  next_cursor: nullable(Type.String()),
});

export const RetryRowsQuery = Type.Object({
  outcomes: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Rows that ended so, separated by commas. Without it, all who were not reached: no_answer, busy, rejected, " +
        "insufficient_credits and faults of line or machine.",
    }),
  ),
});
export type RetryRowsInput = Static<typeof RetryRowsQuery>;
