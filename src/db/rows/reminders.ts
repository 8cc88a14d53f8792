// Rows of reminder rules and of the reminders that they make.

export type ReminderTiming = "day_before" | "hours_before";

export interface ReminderRuleRow {
  id: string;
  organisation_id: string;
  /** Every branch where null. */
  branch_id: string | null;
  /** Every service where null. */
  appointment_type_id: string | null;
  agent_id: string;
  timing: ReminderTiming;
  days_before: number;
  /** Minutes since midnight in the branch's zone, like the two below. */
  at_minute: number;
  hours_before: number;
  from_minute: number;
  to_minute: number;
  /** Calls in all. */
  tries: number;
  retry_minutes: number;
  settle_hours: number;
  /** 0 or 1. */
  skip_confirmed: number;
  /** JSON (reminders/placeholder-sources.ts). */
  placeholders: string;
  /** 0 or 1. */
  enabled: number;
  revision: number;
  /** JSON (reminders/rule-plan.ts); null when every appointment has been looked at. */
  plan_after: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export type ReminderState = "pending" | "calling" | "done" | "cancelled";

export interface ReminderRow {
  id: string;
  organisation_id: string;
  rule_id: string | null;
  rule_revision: number;
  agent_id: string;
  /** 0 or 1. */
  by_hand: number;
  appointment_id: string;
  date: string;
  start_time: string;
  starts_at: number;
  state: ReminderState;
  /** One of REMINDER_OUTCOMES (reminders/outcome.ts). */
  outcome: string | null;
  due_at: number;
  next_at: number | null;
  attempts: number;
  call_id: string | null;
  created_at: number;
  updated_at: number;
}
