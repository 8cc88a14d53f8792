// What is planned anew when the time that the appliance believes steps. Back: waits that it had set by the wrong clock
// would last for as long as that clock was ahead. Forward: what it dated during the doubt would be overdue, or over, at
// once. Times that people chose stay.
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
  // Nothing that held a moment before ends by a step of the clock.
  await lengthenHolds(tx, to - byMs, byMs);
}

/** What the clock does when it steps. `keys`: idempotency keys, which only the routes know. */
export const clockSteps = (keys: () => { moveForward(tx: Tx, step: SetForward): Promise<void> }) => ({
  replan: replanCalls,
  async moveForward(tx: Tx, step: SetForward): Promise<void> {
    await moveCallsForward(tx, step);
    await keys().moveForward(tx, step);
  },
});
