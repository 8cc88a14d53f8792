// Dates and times as hospitals' exports write them.
import { MINUTE_MS } from "../../../core/clock.ts";
import { instantOf } from "../../../core/zones.ts";
import type { DateOrder } from "../settings.ts";

export interface WrittenDay {
  /** YYYY-MM-DD */
  date: string;
  /** The rest of the cell. */
  rest: string;
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T ])/;
const YEAR_LAST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?=$|[T ])/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?=$|[T ])/;
const MONTH_IN_WORDS = /^(\d{1,2})[-/. ]([a-z]{3})[a-z]*[-/. ,]+(\d{4}|\d{2})(?=$|[T ])/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Two digits of a year are of this century: these are appointments. */
const CENTURY = 2_000;

/** Null if the cell does not begin with a date that exists. */
export function dayIn(text: string, order: DateOrder): WrittenDay | null {
  const cell = text.trim();
  const parts = partsOf(cell, order);
  if (!parts) return null;
  const [year, month, day, length] = parts;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return { date: date.toISOString().slice(0, 10), rest: cell.slice(length).replace(/^T/, "").trim() };
}

type Parts = readonly [year: number, month: number, day: number, length: number];

function partsOf(cell: string, order: DateOrder): Parts | null {
  const first = YEAR_FIRST.exec(cell) ?? COMPACT.exec(cell);
  if (first) return [Number(first[1]), Number(first[2]), Number(first[3]), first[0].length];
  const named = MONTH_IN_WORDS.exec(cell);
  if (named) {
    const month = MONTHS.indexOf((named[2] ?? "").toLowerCase()) + 1;
    return month === 0 ? null : [yearOf(named[3]), month, Number(named[1]), named[0].length];
  }
  const last = YEAR_LAST.exec(cell);
  if (!last) return null;
  const [one, two] = [Number(last[1]), Number(last[2])];
  return order === "mdy" ? [yearOf(last[3]), one, two, last[0].length] : [yearOf(last[3]), two, one, last[0].length];
}

const yearOf = (text = "") => (text.length === 2 ? CENTURY + Number(text) : Number(text));

const TIME = /^(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2})(?:\.\d+)?)?)?\s*(?:([ap])\.?\s*m\.?)?$/i;
const COMPACT_TIME = /^(\d{2})(\d{2})$/;

/** Minutes since midnight; null if this is no time. */
export function minuteIn(text: string): number | null {
  const cell = text.trim();
  const match = COMPACT_TIME.exec(cell) ?? TIME.exec(cell);
  if (!match) return null;
  const [, hourText = "", minuteText, , half] = match;
  // "10" alone may be anything; "10 am" is a time.
  if (minuteText === undefined && half === undefined) return null;
  const [hour, minute] = [Number(hourText), Number(minuteText ?? 0)];
  if (minute > 59) return null;
  if (half === undefined) return hour > 23 ? null : hour * 60 + minute;
  if (hour < 1 || hour > 12) return null;
  return ((hour % 12) + (half.toLowerCase() === "p" ? 12 : 0)) * 60 + minute;
}

const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

export interface WrittenMoment {
  date: string;
  instant: number;
}

/** A date with its time in one cell, or the time in another. Null if it is none. */
export function momentIn(
  text: string,
  time: string | null,
  { order, zone }: { order: DateOrder; zone: string },
): WrittenMoment | null {
  if (time === null && WITH_OFFSET.test(text.trim())) {
    const instant = Date.parse(text.trim());
    return Number.isNaN(instant) ? null : { date: text.trim().slice(0, 10), instant };
  }
  const day = dayIn(text, order);
  const minute = day && minuteIn(time === null || time.trim() === "" ? day.rest : time);
  if (!day || minute === null) return null;
  return { date: day.date, instant: instantOf(day.date, minute, zone) };
}

/** The end on the day of the start: a time, a moment, or a number of minutes. */
export function endIn(text: string, start: WrittenMoment, how: { order: DateOrder; zone: string }): number | null {
  if (/^\d{1,3}$/.test(text.trim())) return start.instant + Number(text.trim()) * MINUTE_MS;
  const minute = minuteIn(text);
  return minute === null ? (momentIn(text, null, how)?.instant ?? null) : instantOf(start.date, minute, how.zone);
}

/** The order that fits most dates; days beyond 12 decide. Null if none does. */
export function orderOf(cells: readonly string[]): DateOrder | null {
  let [dayFirst, monthFirst, yearFirst] = [0, 0, 0];
  for (const cell of cells) {
    const text = cell.trim();
    if (YEAR_FIRST.test(text)) yearFirst += 1;
    const [, one, two] = YEAR_LAST.exec(text) ?? [];
    if (Number(one) > 12) dayFirst += 1;
    if (Number(two) > 12) monthFirst += 1;
  }
  if (dayFirst + monthFirst + yearFirst === 0) return null;
  if (dayFirst >= monthFirst) return dayFirst === 0 ? "ymd" : "dmy";
  return "mdy";
}
