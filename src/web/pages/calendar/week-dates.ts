// Dates of a week in the calendar. Dates are plain YYYY-MM-DD in the branch's zone.
import { addDays } from "../../format.ts";
import { locale } from "../../language.ts";

const noon = (date: string) => new Date(`${date}T12:00:00Z`);
/** Created on first use, because the locale is known only after sign-in. */
function inUtc(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined;
  return () => (made ??= new Intl.DateTimeFormat(locale(), { timeZone: "UTC", ...options }));
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const shortDay = inUtc({ weekday: "short" });
const dayAndMonth = inUtc({ day: "numeric", month: "short" });
const longDay = inUtc({ weekday: "long", day: "numeric", month: "long" });
const fullDay = inUtc({ day: "numeric", month: "short", year: "numeric" });

/** Weeks start on Monday. */
export function weekOf(date: string): string {
  return addDays(date, -((noon(date).getUTCDay() + 6) % 7));
}

export function datesOfWeek(monday: string): string[] {
  return [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(monday, days));
}

/** "monday", as in the API of windows. */
export function weekdayOf(date: string): string {
  return WEEKDAYS[noon(date).getUTCDay()] ?? "";
}

export function shortWeekday(date: string): string {
  return shortDay().format(noon(date));
}

/** "16 Nov" */
export function formatDayAndMonth(date: string): string {
  return dayAndMonth().format(noon(date));
}

/** "Monday 16 November" */
export function formatLongDay(date: string): string {
  return longDay().format(noon(date)).replace(",", "");
}

/** "16 – 22 Nov 2026" */
export function formatWeek(monday: string): string {
  return fullDay().formatRange(noon(monday), noon(addDays(monday, 6)));
}

/** HH:MM, the current wall time of the zone. */
export function timeIn(zone: string): string {
  return new Intl.DateTimeFormat(locale(), {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format();
}

export function isDate(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(noon(text).getTime());
}

/** "Mon 16 Nov, 09:00–12:00" */
export function formatSlot({
  date,
  start_time,
  end_time,
}: {
  date: string;
  start_time: string;
  end_time: string;
}): string {
  return `${shortWeekday(date)} ${formatDayAndMonth(date)}, ${formatHours({ start_time, end_time })}`;
}

export function formatHours({ start_time, end_time }: { start_time: string; end_time: string }): string {
  return `${start_time}–${end_time}`;
}
