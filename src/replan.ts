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
import type { SetForward } from "./scheduler/clock-store.ts";

export async function replanCalls(tx: Tx, now: number): Promise<void> {
  await replanQueue(tx, now);
  await replanCampaigns(tx, now);
  await replanReminders(tx);
  await replanOpenings(tx, now);
  await shortenHolds(tx, now + PLACE_HOLD_MS);
}

/** `others`: rooms that are not to be imported here. */
export const moveForward =
  (...others: readonly ((tx: Tx, step: SetForward) => Promise<void>)[]) =>
  async (tx: Tx, step: SetForward): Promise<void> => {
    const { since, to, byMs } = step;
    if (since !== null) await moveQueue(tx, { since, to, byMs });
    // Nothing that held a moment before ends by a step of the clock.
    await lengthenHolds(tx, to - byMs, byMs);
    for (const move of others) await move(tx, step);
  };
