// Schemas of the reminder routes: one source for validation, types and the browser's client.
import { Type, type Static } from "@sinclair/typebox";
import { nullable, oneOf } from "../core/schema.ts";
import { MOST_PLACEHOLDERS, PlaceholderSchema } from "./placeholder-sources.ts";

const uuid = Type.String({ maxLength: 36 });
const clockTime = Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", allowed: "a time of day as HH:MM" });
const id = Type.String({ minLength: 1, maxLength: 64 });

const rule = {
  branch_id: nullable(uuid),
  appointment_type_id: nullable(uuid),
  agent_id: id,
  timing: oneOf(["day_before", "hours_before"]),
  days_before: Type.Integer({ minimum: 1, maximum: 14 }),
  at: clockTime,
  hours_before: Type.Integer({ minimum: 1, maximum: 336 }),
  call_from: clockTime,
  call_to: clockTime,
  tries: Type.Integer({ minimum: 1, maximum: 5 }),
  retry_minutes: Type.Integer({ minimum: 5, maximum: 1_440 }),
  settle_hours: Type.Integer({ minimum: 0, maximum: 72 }),
  skip_confirmed: Type.Boolean(),
  placeholders: Type.Array(PlaceholderSchema, { maxItems: MOST_PLACEHOLDERS }),
  enabled: Type.Boolean(),
};

export const RuleSchema = Type.Object(rule);
export type Rule = Static<typeof RuleSchema>;

export const CreateRuleSchema = Type.Object({ ...Type.Partial(RuleSchema).properties, agent_id: id });
export const PatchRuleSchema = Type.Partial(RuleSchema);
export type RuleInput = Static<typeof PatchRuleSchema>;

export interface RuleView extends Rule {
  rule_id: string;
  agent_name: string;
  /** Number of pending reminders, and the time of the first. */
  waiting: number;
  first_at: string | null;
  /** False while a change is being applied to the appointments. */
  is_planned: boolean;
  created_at: string;
  updated_at: string;
}

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
  branch_id: Type.Optional(uuid),
  date: Type.Optional(Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD" })),
  agent_id: Type.Optional(nullable(id)),
  skip_confirmed: Type.Optional(Type.Boolean()),
});
export type RemindInput = Static<typeof RemindSchema>;

export const SKIP_REASONS = ["not_expected", "over", "no_number", "do_not_disturb", "under_way", "confirmed"] as const;
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
