// Calendar days as YYYY-MM-DD, which compare as text.
import { addDays, weekdayOf } from "../../../core/zones.ts";

export interface DayRange {
  from: string;
  to: string;
}

/** Null for dates that do not exist, such as the 31st of April. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return exists ? date : null;
}

export const yearOf = (date: string) => Number(date.slice(0, 4));
/** 1 to 12. */
export const monthOf = (date: string) => Number(date.slice(5, 7));
export const dayOfMonth = (date: string) => Number(date.slice(8, 10));

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Months overflow into the next year: 13 is January. */
export function monthRange(year: number, month: number): DayRange {
  const inYear = year + Math.floor((month - 1) / 12);
  const number = ((((month - 1) % 12) + 12) % 12) + 1;
  const prefix = `${String(inYear).padStart(4, "0")}-${String(number).padStart(2, "0")}`;
  return { from: `${prefix}-01`, to: `${prefix}-${String(daysIn(inYear, number)).padStart(2, "0")}` };
}

/** Monday to Sunday, `weeks` after the week of `date`. */
export function weekRange(date: string, weeks: number): DayRange {
  const monday = addDays(date, -((weekdayOf(date) + 6) % 7) + 7 * weeks);
  return { from: monday, to: addDays(monday, 6) };
}

/** The next such weekday after `date`, never `date` itself. 0 is Sunday. */
export function nextWeekday(date: string, weekday: number): string {
  return addDays(date, ((weekday - weekdayOf(date) + 6) % 7) + 1);
}

export function weekdayWithin({ from }: DayRange, weekday: number): string {
  return addDays(from, (weekday - weekdayOf(from) + 7) % 7);
}
