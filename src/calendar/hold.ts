// Reservation of a slot: for a caller during the conversation, or for an API client that is about to book.
import { DAY_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Tx } from "../db/tables.ts";
import { capacityOf } from "./capacity.ts";
import type { DatedSlot } from "./model.ts";
import { ensureWindowDate, heldSlots, insertHold, windowDate, windowOf } from "./window-store.ts";

/** Long enough to read two slots aloud and get an answer, short enough to free them soon after a dropped call. */
export const HOLD_MS = 90 * SECOND_MS;

const OF_A_CALL = { held_by: null, appointment_type_id: null };

/** Longer than any call waits and lasts. The hold ends with the call; this is the limit for a call that never ends. */
export const PLACE_HOLD_MS = DAY_MS;

/**
 * Reserves a slot for a call that is still to be made, until the call ends. The caller has checked that there is room.
 */
export async function holdPlace(
  tx: Tx,
  { ids }: { ids: Ids },
  place: { windowId: string; date: string; callId: string },
  now: number,
): Promise<void> {
  // Availability counts holds only on dates that have a row.
  await ensureWindowDate(tx, place.windowId, place.date, now);
  await insertHold(tx, {
    id: ids.next("hld"),
    window_id: place.windowId,
    date: place.date,
    call_id: place.callId,
    expires_at: now + PLACE_HOLD_MS,
    ...OF_A_CALL,
  });
}

/** False if none of the agent's slots is left there. */
export async function holdSlot(
  tx: Tx,
  { clock, ids }: { clock: Clock; ids: Ids },
  call: { callId: string; organisationId: string },
  slot: Pick<DatedSlot, "calendar_id" | "date">,
): Promise<boolean> {
  const now = clock.now();
  const window = await windowOf(tx, call.organisationId, slot.calendar_id);
  if (!window) return false;
  const capacity = capacityOf(
    window,
    await windowDate(tx, window.id, slot.date),
    await heldSlots(tx, window.id, slot.date, now),
  );
  if (capacity.status === "CLOSED" || capacity.aiAvailable <= 0) return false;
  // Availability counts holds only on dates that have a row.
  await ensureWindowDate(tx, window.id, slot.date, now);
  await insertHold(tx, {
    id: ids.next("hld"),
    window_id: window.id,
    date: slot.date,
    call_id: call.callId,
    expires_at: now + HOLD_MS,
    ...OF_A_CALL,
  });
  return true;
}
