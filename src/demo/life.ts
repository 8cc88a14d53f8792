// Daytime activity of the running demo: occasional calls, bookings and waiting-list entries. Calls are deleted after 30
// days, so a running demo does not fill the disk.
import { HOUR_MS, MINUTE_MS } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { addDays, wallTime } from "../core/zones.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { isDaytime } from "./daytime.ts";
import { friendlyPersonAt, personAt } from "./people.ts";
import type { DemoStaff } from "./staff.ts";

const EVERY_MINUTES = 30;
const BOOKS_EVERY = 4;
const LIST_LENGTH = 20;
/** Includes retries one hour apart. */
const CAMPAIGN_TAKES_MS = 3 * HOUR_MS;

export function demoLife(staff: DemoStaff): RecurringJob {
  return {
    name: "the demo goes on",
    pattern: `*/${EVERY_MINUTES} * * * *`,
    async run(now) {
      if (!isDaytime(now, staff.timeZone)) return;
      const turn = Math.floor(now / (EVERY_MINUTES * MINUTE_MS));
      await staff.refillCredits();
      await staff.call(personAt(turn * 7));
      if (turn % BOOKS_EVERY === 0) {
        await staff.book(friendlyPersonAt(turn), 1 + (turn % 5));
        await staff.settleUntil(addDays(staff.today, -1));
        await staff.tickOff(staff.aDayAgo);
      }
      if (!(await staff.isAnybodyWaiting())) await staff.waits(turn, ["Evening"]).catch(whereRefused);
      if (isDaytime(now + CAMPAIGN_TAKES_MS, staff.timeZone) && (await staff.isTimeForCampaign())) {
        const { date } = wallTime(now, "UTC");
        await staff.startCampaign(`Check-ups, ${date}`, { from: (turn * 13) % 100, count: LIST_LENGTH }, 1);
      }
    },
  };
}

/** The contact is already waiting for the same. */
function whereRefused(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
