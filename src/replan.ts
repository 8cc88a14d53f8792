// What is planned anew when the time that the appliance believes went back: waits that it had set by the wrong clock would last
// for as long as that clock was ahead. Times that people chose stay. Part of the composition root.
import { PLACE_HOLD_MS } from "./calendar/hold.ts";
import { shortenHolds } from "./calendar/window-store.ts";
import { replanQueue } from "./calls/queue/queue-store.ts";
import { replanReminders } from "./campaigns/reminders/reminder-store.ts";
import { replanCampaigns } from "./campaigns/set-back-store.ts";
import { replanOpenings } from "./campaigns/waiting/offer-store.ts";
import type { Tx } from "./db/tables.ts";

export async function replanCalls(tx: Tx, now: number): Promise<void> {
  await replanQueue(tx, now);
  await replanCampaigns(tx, now);
  await replanReminders(tx);
  await replanOpenings(tx, now);
  await shortenHolds(tx, now + PLACE_HOLD_MS);
}
