// Ranks open slots by distance to the requested time. Without a request, the next slots come first.
import { DAY_MS } from "../core/clock.ts";
import type { TimeWish } from "./desk-port.ts";

/** In minutes since midnight. */
const PARTS_OF_DAY = { morning: [0, 12 * 60], afternoon: [12 * 60, 17 * 60], evening: [17 * 60, 24 * 60] } as const;

/** The requested day weighs more than the time. Of two equally distant days the later one is preferred. */
const EARLIER_DAY_PENALTY = 0.5;

export function nearest<Slot extends { date: string; start_time: string; end_time: string }>(
  slots: readonly Slot[],
  wish: TimeWish | null,
): Slot[] {
  if (!wish) return [...slots];
  const { date, dateEnd, time, partOfDay, isAfter } = wish;
  const days = (slot: Slot) => (date === null ? 0 : daysOff(slot.date, date, dateEnd ?? date));
  const minutes = (slot: Slot) => minutesOff(slot, time, partOfDay);
  // Of several sessions at the requested time, prefers the nearest start.
  const start = (slot: Slot) => (time === null ? 0 : Math.abs(minuteOfDay(slot.start_time) - minuteOfDay(time)));
  const late = isAfter && time !== null ? slots.filter((slot) => slot.start_time >= time) : [];
  // For a request of a time only, a day that offers it comes before the next day.
  return (late.length > 0 ? late : slots).toSorted(
    (a, b) => days(a) - days(b) || minutes(a) - minutes(b) || start(a) - start(b),
  );
}

function daysOff(date: string, from: string, to: string): number {
  if (date >= from && date <= to) return 0;
  return date < from ? daysBetween(date, from) + EARLIER_DAY_PENALTY : daysBetween(to, date);
}

const daysBetween = (earlier: string, later: string): number => (Date.parse(later) - Date.parse(earlier)) / DAY_MS;

/** 0 if the session covers the requested time. */
function minutesOff(
  slot: { start_time: string; end_time: string },
  time: string | null,
  partOfDay: TimeWish["partOfDay"],
): number {
  const start = minuteOfDay(slot.start_time);
  const end = minuteOfDay(slot.end_time);
  if (time !== null) return gap(start, end, minuteOfDay(time), minuteOfDay(time));
  if (partOfDay === null) return 0;
  const [from, to] = PARTS_OF_DAY[partOfDay];
  return gap(start, start, from, to - 1);
}

const gap = (start: number, end: number, from: number, to: number): number => Math.max(0, from - end, start - to);

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
