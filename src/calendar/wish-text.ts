// The time that a contact asked for, as text for the hospital's own system: "2026-11-20, afternoon".
import type { TimeWish } from "./desk-port.ts";

/** Null if no time was named. */
export function wishText(wish: TimeWish | null): string | null {
  if (!wish) return null;
  const { date, dateEnd, time, isAfter, partOfDay } = wish;
  const day = date !== null && dateEnd !== null && dateEnd !== date ? `${date} to ${dateEnd}` : date;
  const clock = time === null ? partOfDay : isAfter ? `from ${time}` : time;
  const parts = [day, clock].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}
