// Takes and releases slots. Every booking goes through here, inside the single writer's transaction, so two concurrent
// bookings cannot take the last slot twice.
import type { Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Tx } from "../db/tables.ts";
import { capacityOf } from "./capacity.ts";
import { isOver, localNow } from "./days.ts";
import type { Appointment, BookingWindow } from "./records.ts";
import { datedSlotOf } from "./slot-id.ts";
import { assertFalls, zoneOfWindow } from "./tracking-service.ts";
import { changeFill, deleteHoldsOfCall, heldSlots, windowDate, windowOf } from "./window-store.ts";

export type Source = Appointment["source"];

/** The pool a slot is taken from: the agent's share, or all slots. */
export type Share = "ai" | "all";

/** An appointment booked by the agent counts in its share until it is moved by hand. */
export function shareOf({ source, moved_by_hand_at }: Pick<Appointment, "source" | "moved_by_hand_at">): Share {
  return source === "ai" && moved_by_hand_at === null ? "ai" : "all";
}

export interface BookableSlot {
  window: BookingWindow;
  date: string;
}

/** The window and date of a slot_id, checked to be bookable in principle. */
export async function bookableSlot(
  tx: Tx,
  clock: Clock,
  organisationId: string,
  slotId: string,
): Promise<BookableSlot> {
  const { calendarId, date } = datedSlotOf(slotId);
  const window = await windowOf(tx, organisationId, calendarId);
  if (!window) throw invalidField("slot_id", "slot_id names no window of this organisation.");
  const zone = await zoneOfWindow(tx, window);
  assertFalls(window, date, zone);
  if (isOver(date, window.end_time, localNow(clock, zone))) {
    throw invalidField("slot_id", "This session is over.");
  }
  return { window, date };
}

/** Takes one slot or throws SLOT_FULL. A caller's own holds make room for its booking. */
export async function takeSlot(
  tx: Tx,
  { window, date }: BookableSlot,
  share: Share,
  now: number,
  callId: string | null = null,
): Promise<void> {
  if (callId !== null) await deleteHoldsOfCall(tx, callId);
  await assertRoom(tx, { window, date }, share, now);
  await changeFill(tx, window.id, date, { filled: 1, aiFilled: share === "ai" ? 1 : 0 }, now);
}

/** Throws SLOT_FULL if no slot is left for one more booking or hold. */
export async function assertRoom(tx: Tx, { window, date }: BookableSlot, share: Share, now: number): Promise<void> {
  const capacity = capacityOf(window, await windowDate(tx, window.id, date), await heldSlots(tx, window.id, date, now));
  if (capacity.status === "CLOSED") throw new AppError("SLOT_FULL", "This window is closed on this date.");
  const left = share === "ai" ? capacity.aiAvailable : capacity.available;
  if (left <= 0) throw new AppError("SLOT_FULL", "This window has no slot left on this date.");
}

export async function giveBack(tx: Tx, windowId: string, date: string, share: Share, now: number): Promise<void> {
  await changeFill(tx, windowId, date, { filled: -1, aiFilled: share === "ai" ? -1 : 0 }, now);
}
