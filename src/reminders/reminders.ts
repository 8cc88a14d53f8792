// Entry point of reminders: connects them to changes of appointments and ends of calls, in the same transactions.
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import type { ClosedDayWatcher } from "../calendar/closure-work.ts";
import type { CallsWithin } from "../calls/within.ts";
import type { Config } from "../config/schema.ts";
import type { Keeping } from "../rules/holds/keeping.ts";
import { reminderCallEnds } from "./call-ends.ts";
import { DueReminders } from "./due-reminders.ts";
import { ReminderPlanning } from "./planning.ts";
import { ReminderService, type ReminderServiceDeps } from "./reminder-service.ts";
import { createReminderRetention } from "./retention.ts";
import { ReminderRules } from "./rule-service.ts";
import type { Eraser } from "../db/eraser.ts";
import { forgetCall } from "./reminder-store.ts";

/** Clears the call id of a reminder. A reminder itself contains no personal data. */
export const remindersEraser: Eraser = { tables: [], eraseCall: forgetCall };

export interface RemindersDeps extends Omit<ReminderServiceDeps, "planning"> {
  config: Config;
  callsWithin: CallsWithin;
  keeping: Pick<Keeping, "erasable" | "daysOf">;
}

export function createReminders(deps: RemindersDeps) {
  const planning = new ReminderPlanning(deps);
  const reminderRules = new ReminderRules(deps);
  const appointment: AppointmentWatcher = (...change) => planning.appointmentChanged(...change);
  const zone: ZoneWatcher = (...change) => reminderRules.zonesChanged(...change);
  const closedDay: ClosedDayWatcher = (...change) => planning.dayClosed(...change);
  return {
    reminderWatchers: { appointment, zone, closedDay, finalCall: reminderCallEnds(deps) },
    reminderRules,
    reminders: new ReminderService({ ...deps, planning }),
    dueReminders: new DueReminders({ ...deps, planning }),
    reminderRetention: createReminderRetention({
      db: deps.db,
      days: deps.config.retention.days,
      keeping: deps.keeping,
    }),
  };
}
