// Reminders and the rules that plan them.
import type { Appointment } from "../calendar/records.ts";
import { flag, json, meanings, orNull, type Meant } from "../db/meaning.ts";
import type { PlaceholderSource } from "./placeholder-sources.ts";

export const reminderMeaning = meanings<"reminders">()({ by_hand: flag });
export type Reminder = Meant<typeof reminderMeaning>;

/** Progress of a rule through the appointments: the branch, and the last appointment compared. */
export type PlanPlace = { branch?: string } & Partial<Pick<Appointment, "date" | "start_time" | "id">>;

export const ruleMeaning = meanings<"reminder_rules">()({
  skip_confirmed: flag,
  enabled: flag,
  placeholders: json<PlaceholderSource[]>(),
  plan_after: orNull(json<PlanPlace>()),
});
export type ReminderRule = Meant<typeof ruleMeaning>;
