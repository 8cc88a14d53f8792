// Hourly job that deletes reminders of past appointments. They contain no personal data, but fill the disk.
import { DAY_MS } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { deleteOldReminders } from "./reminder-store.ts";

/** Minimum retention, so the list of past reminders covers the last weeks. */
const SHORTEST_DAYS = 30;
/** Retention if calls are kept without limit: two years. */
const LONGEST_DAYS = 730;
const MOST_PER_BATCH = 200;

export function createReminderRetention({ db, days }: { db: Database; days: number }): RecurringJob {
  const keepDays = days === 0 ? LONGEST_DAYS : Math.max(days, SHORTEST_DAYS);
  return {
    name: "forget old reminders",
    pattern: "29 * * * *",
    isDestructive: true,
    async run(now) {
      let deleted: number;
      do deleted = await db.write((tx) => deleteOldReminders(tx, now - keepDays * DAY_MS, MOST_PER_BATCH));
      while (deleted === MOST_PER_BATCH);
    },
  };
}
