// Reschedules stored times after a step of the trusted clock. Back: waits set by the wrong clock would last as long as
// that clock was ahead. Forward: entries dated while the clock was in doubt would be overdue or expired at once. Times
// chosen by users stay unchanged.
import { PLACE_HOLD_MS } from "../calendar/hold.ts";
import { lengthenHolds, shortenHolds } from "../calendar/window-store.ts";
import { moveQueue, replanQueue } from "../calls/queue/queue-store.ts";
import { replanReminders } from "../reminders/reminder-store.ts";
import { replanCampaigns } from "../campaigns/set-back-store.ts";
import { replanOpenings } from "../waiting-list/offer-store.ts";
import type { Tx } from "../db/tables.ts";
import type { SetForward } from "../scheduler/clock-store.ts";

async function replanCalls(tx: Tx, now: number): Promise<void> {
  await replanQueue(tx, now);
  await replanCampaigns(tx, now);
  await replanReminders(tx);
  await replanOpenings(tx, now);
  await shortenHolds(tx, now + PLACE_HOLD_MS);
}

async function moveCallsForward(tx: Tx, { since, to, byMs }: SetForward): Promise<void> {
  if (since !== null) await moveQueue(tx, { since, to, byMs });
  // A step of the clock expires no hold that was valid just before.
  await lengthenHolds(tx, to - byMs, byMs);
}

/** Handlers of a clock step. `keys`: idempotency keys, which only the routes have. */
export const clockSteps = (keys: () => { moveForward(tx: Tx, step: SetForward): Promise<void> }) => ({
  replan: replanCalls,
  async moveForward(tx: Tx, step: SetForward): Promise<void> {
    await moveCallsForward(tx, step);
    await keys().moveForward(tx, step);
  },
});
