// Schemas of the reminder routes: one source for validation, types and the browser's client.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { MOST_PLACEHOLDERS, PlaceholderSchema } from "./placeholder-sources.ts";

const uuid = (description: string) => Type.String({ maxLength: 36, description });
const clockTime = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", allowed: "a time of day as HH:MM", description });
const id = Type.String({ minLength: 1, maxLength: 64 });

const rule = {
  branch_id: nullable(uuid("Appointments of this branch; null means every branch.")),
  appointment_type_id: nullable(uuid("Appointments for this service; null means every service.")),
  agent_id: id,
  timing: oneOf(["day_before", "hours_before"]),
  days_before: Type.Integer({ minimum: 1, maximum: 14, description: "With day_before." }),
  at: clockTime("With day_before: when to call on that day."),
  hours_before: Type.Integer({ minimum: 1, maximum: 336, description: "With hours_before." }),
  call_from: clockTime("Earliest time of a call, in the branch's time zone."),
  call_to: clockTime("Latest time of a call; at least an hour after call_from."),
  tries: Type.Integer({ minimum: 1, maximum: 5, description: "Calls at most." }),
  retry_minutes: Type.Integer({ minimum: 5, maximum: 1_440, description: "Between two calls." }),
  settle_hours: Type.Integer({
    minimum: 0,
    maximum: 72,
    description: "Skips people who booked or moved their appointment within this many hours.",
  }),
  skip_confirmed: Type.Boolean({ description: "Skips people who said that they will come." }),
  placeholders: Type.Array(PlaceholderSchema, {
    maxItems: MOST_PLACEHOLDERS,
    description: "What fills the placeholders of the agent's texts.",
  }),
  enabled: Type.Boolean(),
};

export const RuleSchema = Type.Object(rule);
export type Rule = Static<typeof RuleSchema>;

export const CreateRuleSchema = Type.Object({ ...Type.Partial(RuleSchema).properties, agent_id: id });
export const PatchRuleSchema = Type.Partial(RuleSchema);
export type RuleInput = Static<typeof PatchRuleSchema>;

export const RuleViewSchema = Type.Object({
  rule_id: Type.String(),
  ...rule,
  agent_name: Type.String(),
  waiting: Type.Integer({ description: "Number of pending reminders." }),
  first_at: nullable(isoTime({ description: "When the first of them is due." })),
  is_planned: Type.Boolean({ description: "False while a change is being applied to the appointments." }),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type RuleView = Static<typeof RuleViewSchema>;

const RulePreviewSchema = Type.Object({
  tomorrow: Type.Object(
    { people: Type.Integer(), without_number: Type.Integer({ description: "Due too, but without a number." }) },
    { description: "How many people would be called tomorrow, in each branch's time zone." },
  ),
});
export type RulePreview = Static<typeof RulePreviewSchema>;

export const RuleAnswerSchema = Type.Object({ data: RuleViewSchema });
export const RuleListSchema = Type.Object({ data: Type.Array(RuleViewSchema) });
export const RulePreviewAnswerSchema = Type.Object({ data: RulePreviewSchema });
export const RemovedRuleSchema = Type.Object({
  data: Type.Object({ rule_id: Type.String(), removed: Type.Literal(true) }),
});

export const CREATE_RULE_EXAMPLE = {
  agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc",
  timing: "day_before",
  days_before: 1,
  at: "10:00",
  placeholders: [{ placeholder: "visit", source: "date_and_time" }],
};

/** Defaults of a new rule. */
export const RULE_DEFAULTS: Omit<Rule, "agent_id" | "placeholders"> = {
  branch_id: null,
  appointment_type_id: null,
  timing: "day_before",
  days_before: 1,
  at: "10:00",
  hours_before: 24,
  call_from: "09:00",
  call_to: "20:00",
  tries: 3,
  retry_minutes: 60,
  settle_hours: 6,
  skip_confirmed: true,
  enabled: true,
};

export const ListRemindersQuery = Type.Object({
  view: oneOf(["next", "past"]),
  rule_id: Type.Optional(id),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.String({ pattern: "^[0-9]{1,3}$", allowed: "from 1 to 100" })),
});
export type ListRemindersInput = Static<typeof ListRemindersQuery>;

export interface ReminderView {
  reminder_id: string;
  rule_id: string | null;
  by_hand: boolean;
  appointment_id: string;
  branch_id: string;
  appointment_type_id: string | null;
  contact_name: string | null;
  contact_number: string | null;
  date: string;
  start_time: string;
  state: "pending" | "calling" | "done" | "cancelled";
  outcome: string | null;
  due_at: string;
  attempts: number;
  call_id: string | null;
  updated_at: string;
}

/** The most that a page shows; to select more, remind a whole day. */
export const MOST_BY_HAND = 250;

export const RemindSchema = Type.Object({
  appointment_ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: MOST_BY_HAND })),
  branch_id: Type.Optional(uuid("With date: everyone booked there on that day.")),
  date: Type.Optional(Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD" })),
  agent_id: Type.Optional(nullable(id)),
  skip_confirmed: Type.Optional(Type.Boolean()),
});
export type RemindInput = Static<typeof RemindSchema>;

export const SKIP_REASONS = [
  "not_expected",
  "over",
  "day_closed",
  "no_number",
  "do_not_disturb",
  "under_way",
  "confirmed",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export const RemindedSchema = Type.Object({
  data: Type.Object({
    appointment_id: Type.String(),
    status: oneOf(["planned", "skipped"]),
    reason: nullable(oneOf(SKIP_REASONS, { description: "Why nobody is called." })),
  }),
});

export const RemindOneSchema = Type.Object({
  agent_id: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 64, description: "Who calls; without it, whom a rule names." })),
  ),
});
