// Hourly job that deletes reminders of past appointments, except of people and calls under a retention hold. They
// contain no personal data, but fill the disk.
import { DAY_MS } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import type { Keeping } from "../rules/holds/keeping.ts";
import { deleteReminders, oldReminders, type OldReminder } from "./reminder-store.ts";

/** Minimum retention, so the list of past reminders covers the last weeks. */
const SHORTEST_DAYS = 30;
/** Retention if calls are kept without limit: two years. */
const LONGEST_DAYS = 730;
const MOST_PER_BATCH = 200;

export interface ReminderRetentionDeps {
  db: Database;
  days: number;
  keeping: Pick<Keeping, "erasable" | "daysOf">;
}

export function createReminderRetention({ db, days, keeping }: ReminderRetentionDeps): RecurringJob {
  const keepDays = keeping.daysOf(days === 0 ? LONGEST_DAYS : Math.max(days, SHORTEST_DAYS));
  return {
    name: "forget old reminders",
    pattern: "29 * * * *",
    isDestructive: true,
    async run(now) {
      const before = now - keepDays * DAY_MS;
      for (let last: OldReminder | null = null; ;) {
        const after: OldReminder | null = last;
        const found = await db.write(async (tx) => {
          const old = await oldReminders(tx, before, MOST_PER_BATCH, after);
          const free = await keeping.erasable(tx, old, ({ organisation_id, call_id, contact_number }) => ({
            organisationId: organisation_id,
            callId: call_id,
            number: contact_number,
          }));
          await deleteReminders(
            tx,
            free.map(({ id }) => id),
          );
          return old;
        });
        last = found.at(-1) ?? null;
        if (found.length < MOST_PER_BATCH) return;
      }
    },
  };
}
