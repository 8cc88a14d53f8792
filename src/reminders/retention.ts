// Reminders of appointments that are long over, deleted every hour. They hold no personal data; they only fill the
// disk.
import { DAY_MS } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { deleteOldReminders } from "./reminder-store.ts";

/** Kept at least this long, so that "what happened" tells of the last weeks. */
const SHORTEST_DAYS = 30;
/** Where everything is kept, two years of them. */
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
