// Dates for tests on the real clock: days ahead in India, where the demo hospital is.
import { dayOf } from "../../src/calendar/days.ts";
import type { Day } from "../../src/payloads/slot.ts";
import { addDays, wallTime } from "../../src/core/zones.ts";

export function daysAhead(days: number): { date: string; day: Day } {
  const date = addDays(wallTime(Date.now(), "Asia/Kolkata").date, days);
  return { date, day: dayOf(date) };
}
