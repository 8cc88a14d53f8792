// What is planned anew when the time that the appliance believes steps. Back: waits that it had set by the wrong clock would last
// for as long as that clock was ahead. Forward: what it dated during the doubt would be overdue, or over, at once. Times that
// people chose stay. Part of the composition root.
import { PLACE_HOLD_MS } from "./calendar/hold.ts";
import { lengthenHolds, shortenHolds } from "./calendar/window-store.ts";
import { moveQueue, replanQueue } from "./calls/queue/queue-store.ts";
import { replanReminders } from "./campaigns/reminders/reminder-store.ts";
import { replanCampaigns } from "./campaigns/set-back-store.ts";
import { replanOpenings } from "./campaigns/waiting/offer-store.ts";
import type { Tx } from "./db/tables.ts";
import { lengthenKeys } from "./http/idempotency-store.ts";
import type { SetForward } from "./scheduler/clock-store.ts";

export async function replanCalls(tx: Tx, now: number): Promise<void> {
  await replanQueue(tx, now);
  await replanCampaigns(tx, now);
  await replanReminders(tx);
  await replanOpenings(tx, now);
  await shortenHolds(tx, now + PLACE_HOLD_MS);
}

export async function moveForward(tx: Tx, step: SetForward): Promise<void> {
  const { since, to, byMs } = step;
  if (since !== null) await moveQueue(tx, { since, to, byMs });
  // Nothing that held a moment before ends by a step of the clock.
  const before = to - byMs;
  await lengthenHolds(tx, before, byMs);
  await lengthenKeys(tx, before, byMs);
}
