// IANA time zones: validation of names, and local time in a zone.
import { DAY_MS } from "./clock.ts";

export interface WallTime {
  /** YYYY-MM-DD */
  readonly date: string;
  /** Minutes since local midnight. */
  readonly minuteOfDay: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

/** Creating a formatter takes about 50 µs, using one about 1 µs. */
const formatters = new Map<string, Intl.DateTimeFormat>();
/** Names differ in case too, and clients choose them. */
const MOST_ZONES = 1_000;

export function isTimeZone(name: string): boolean {
  // Intl accepts "+05:30" and similar, but they are not IANA names and have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Recent answers for each zone: a round of calls asks for the same few moments again and again. */
const recent = new Map<string, Map<number, WallTime>>();
const MOST_RECENT = 16;

export function wallTime(epochMs: number, zone: string): WallTime {
  const minute = Math.floor(epochMs / 60_000);
  let times = recent.get(zone);
  const known = times?.get(minute);
  if (known) return known;
  const time = wallTimeOf(epochMs, zone);
  if (!times) {
    if (recent.size >= MOST_ZONES) recent.clear();
    recent.set(zone, (times = new Map<number, WallTime>()));
  }
  if (times.size >= MOST_RECENT) times.clear();
  times.set(minute, time);
  return time;
}

function wallTimeOf(epochMs: number, zone: string): WallTime {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(epochMs)) parts[type] = value;
  const { year = "", month = "", day = "", hour = "", minute = "" } = parts;
  // ISO 8601 format for years after 9999.
  const date = `${year.length > 4 ? `+${year.padStart(6, "0")}` : year.padStart(4, "0")}-${month}-${day}`;
  return { date, minuteOfDay: Number(hour) * 60 + Number(minute), weekday: weekdayOf(date) };
}

export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The calendar date `days` after `date`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The instant at which the wall clock of `zone` shows `minuteOfDay` on `date`. In a gap (spring) it is the instant to
 * which the clock jumps; in an overlap (autumn) it is the first of the two.
 */
export function instantOf(date: string, minuteOfDay: number, zone: string): number {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minuteOfDay * 60_000;
  const offsets = [offsetMs(wanted - DAY_MS, zone), offsetMs(wanted + DAY_MS, zone)];
  const candidates = offsets.map((offset) => wanted - offset);
  const exact = candidates.filter((instant) => instant + offsetMs(instant, zone) === wanted);
  if (exact.length > 0) return Math.min(...exact);
  // No candidate shows the wanted time: it is in a gap, and the jump is between the two.
  return jumpBetween(Math.min(...candidates), Math.max(...candidates), zone);
}

/** Whether the wall clock of `zone` shows `minuteOfDay` on `date`: in spring it skips an hour. */
export function isShown(date: string, minuteOfDay: number, zone: string): boolean {
  const shown = wallTime(instantOf(date, minuteOfDay, zone), zone);
  return shown.date === date && shown.minuteOfDay === minuteOfDay;
}

/** False if the clock changes on `date` or the day before or after. Far cheaper than isShown. */
export function hasOneOffset(date: string, zone: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return offsetMs(midnight - DAY_MS, zone) === offsetMs(midnight + 2 * DAY_MS, zone);
}

/** The first minute with the offset of `after`; the offset at `before` differs. */
function jumpBetween(before: number, after: number, zone: string): number {
  const offsetAfter = offsetMs(after, zone);
  let [low, high] = [before / 60_000, after / 60_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * 60_000, zone) === offsetAfter) high = middle;
    else low = middle;
  }
  return high * 60_000;
}

function offsetMs(epochMs: number, zone: string): number {
  const shown = wallTime(epochMs, zone);
  const whole = Math.floor(epochMs / 60_000) * 60_000;
  return Date.parse(`${shown.date}T00:00:00Z`) + shown.minuteOfDay * 60_000 - whole;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    if (formatters.size >= MOST_ZONES) formatters.clear();
    formatters.set(zone, formatter);
  }
  return formatter;
}
