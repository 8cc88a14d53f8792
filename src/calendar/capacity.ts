// Capacity of one window on one date, and whether one more booking fits. Pure arithmetic, shared by reads and bookings.
import type { BookingWindow, WindowDate, WindowStatus } from "./records.ts";

export interface Capacity {
  maxSlots: number;
  aiSlots: number;
  status: WindowStatus;
  filled: number;
  available: number;
  aiFilled: number;
  aiAvailable: number;
}

/**
 * `held` slots are reserved for the agent's callers: they count against both limits until they are booked or released.
 */
export function capacityOf(
  window: BookingWindow,
  date: Pick<WindowDate, "max_slots" | "ai_slots" | "status" | "filled" | "ai_filled"> | undefined,
  held = 0,
): Capacity {
  const maxSlots = date?.max_slots ?? window.max_slots;
  // If a date's total is below the window's AI share, the share is capped to it.
  const aiSlots = Math.min(date?.ai_slots ?? window.ai_slots, maxSlots);
  const filled = date?.filled ?? 0;
  const aiFilled = date?.ai_filled ?? 0;
  const available = Math.max(0, maxSlots - filled - held);
  return {
    maxSlots,
    aiSlots,
    status: date?.status ?? window.status,
    filled,
    available,
    aiFilled,
    aiAvailable: Math.min(available, Math.max(0, aiSlots - aiFilled - held)),
  };
}

/** Whether the change made room for another booking. */
export function hasMoreRoom(before: Capacity, after: Capacity): boolean {
  if (after.status === "CLOSED" || after.available <= 0) return false;
  return before.status === "CLOSED" || after.available > before.available || after.aiAvailable > before.aiAvailable;
}
