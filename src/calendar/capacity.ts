// How full one window is on one date, and whether one more fits: pure arithmetic, used by reads and bookings alike.
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

/** `held` slots are kept for callers of the agent: they count against both limits until they are booked or let go. */
export function capacityOf(
  window: BookingWindow,
  date: Pick<WindowDate, "max_slots" | "ai_slots" | "status" | "filled" | "ai_filled"> | undefined,
  held = 0,
): Capacity {
  const maxSlots = date?.max_slots ?? window.max_slots;
  // A date whose total was lowered under the window's AI share lowers that share with it.
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

/** Whether somebody fits in now who did not before. */
export function hasMoreRoom(before: Capacity, after: Capacity): boolean {
  if (after.status === "CLOSED" || after.available <= 0) return false;
  return before.status === "CLOSED" || after.available > before.available || after.aiAvailable > before.aiAvailable;
}
