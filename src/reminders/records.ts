// Reminders and the rules that plan them.
import type { Row } from "../db/tables.ts";

export type Reminder = Row<"reminders">;
export type ReminderRule = Row<"reminder_rules">;
