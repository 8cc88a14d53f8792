// Extracts the days from an uploaded holiday calendar. Yearly holidays are repeated; events that cannot be read are
// counted, never guessed.
import { DAY_MS } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { addDays } from "../../core/zones.ts";
import { isCalendarDate } from "../slot-id.ts";
import { contentLines, unescaped, type ContentLine } from "./content-lines.ts";

export const MOST_HOLIDAY_BYTES = 256 * 1024;
const MOST_EVENTS = 2_000;
const MOST_HOLIDAYS = 500;
/** Longer events are not holidays. */
const LONGEST_DAYS = 92;
const LONGEST_NAME = 100;
/** Yearly holidays are counted from their first year. */
const EARLIEST = "1900-01-01";

export interface Holiday {
  from: string;
  to: string;
  name: string;
}

export interface Holidays {
  holidays: Holiday[];
  /** Events that could not be read, or that recur other than yearly (only their first day is in the list). */
  unread: number;
}

/** Holidays that overlap a range, soonest first. */
export function holidaysIn(text: string, range: { from: string; to: string }): Holidays {
  const lines = contentLines(text);
  if (lines[0]?.name !== "BEGIN" || lines[0].value.toUpperCase() !== "VCALENDAR")
    throw new AppError("VALIDATION_ERROR", "This is not a calendar file (.ics).");
  const events = eventsIn(lines);
  if (events.length > MOST_EVENTS)
    throw new AppError("VALIDATION_ERROR", `The file holds more than ${MOST_EVENTS} events.`);
  const found = new Map<string, Holiday>();
  let unread = 0;
  for (const event of events) {
    const read = holidayOf(event);
    if (!read || read.isPartlyRead) unread += 1;
    for (const holiday of read ? occurrences(read, range) : [])
      if (found.size < MOST_HOLIDAYS) found.set(`${holiday.from} ${holiday.to} ${holiday.name}`, holiday);
  }
  const holidays = [...found.values()].toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  return { holidays, unread };
}

type EventLines = ReadonlyMap<string, ContentLine>;

/** Ignores the properties of alarms inside an event. */
function eventsIn(lines: readonly ContentLine[]): EventLines[] {
  const events: Map<string, ContentLine>[] = [];
  const open: string[] = [];
  let current: Map<string, ContentLine> | null = null;
  for (const line of lines) {
    if (line.name === "BEGIN") {
      open.push(line.value.toUpperCase());
      if (open.at(-1) === "VEVENT") events.push((current = new Map<string, ContentLine>()));
    } else if (line.name === "END") {
      if (open.pop() === "VEVENT") current = null;
    } else if (current && open.at(-1) === "VEVENT" && !current.has(line.name)) current.set(line.name, line);
  }
  return events;
}

interface ReadHoliday extends Holiday {
  yearly: { interval: number; count: number; until: string | null } | null;
  except: ReadonlySet<string>;
  isPartlyRead: boolean;
}

function holidayOf(event: EventLines): ReadHoliday | null {
  const from = dayOf(event.get("DTSTART")?.value);
  if (from === null || event.get("STATUS")?.value.toUpperCase() === "CANCELLED") return null;
  const to = lastDay(event, from);
  if (to === null) return null;
  const name = unescaped(event.get("SUMMARY")?.value ?? "")
    .trim()
    .replaceAll(/\s+/g, " ")
    .slice(0, LONGEST_NAME);
  const rule = event.get("RRULE")?.value;
  const yearly = rule === undefined ? null : yearlyRule(rule, from);
  const except = new Set((event.get("EXDATE")?.value ?? "").split(",").flatMap((each) => dayOf(each) ?? []));
  return { from, to, name, yearly, except, isPartlyRead: rule !== undefined && yearly === null };
}

/** DTEND is the day after the last day, or a time on the last day; without it the event lasts one day. */
function lastDay(event: EventLines, from: string): string | null {
  const end = event.get("DTEND");
  const day = dayOf(end?.value);
  if (day === null) return durationEnd(event.get("DURATION")?.value, from);
  const isMidnight = end !== undefined && (!end.value.includes("T") || /T000000Z?$/.test(end.value));
  const last = isMidnight && day > from ? addDays(day, -1) : day;
  return last < from || last > addDays(from, LONGEST_DAYS - 1) ? null : last;
}

function durationEnd(duration: string | undefined, from: string): string | null {
  if (duration === undefined) return from;
  const match = /^\+?P(?:(\d{1,2})W|(\d{1,2})D)$/.exec(duration);
  if (!match) return /^\+?PT/.test(duration) ? from : null;
  const days = Number(match[1] ?? 0) * 7 + Number(match[2] ?? 0);
  return days < 1 || days > LONGEST_DAYS ? null : addDays(from, days - 1);
}

/** 20261225, 20261225T000000Z: the date as written. A holiday has no time zone. */
function dayOf(value: string | undefined): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T\d{6}Z?)?$/.exec(value?.trim() ?? "");
  const date = match ? `${match[1] ?? ""}-${match[2] ?? ""}-${match[3] ?? ""}` : "";
  return isCalendarDate(date) && date >= EARLIEST ? date : null;
}

/** Accepts only the same day of the same month; other rules are left to the user. */
function yearlyRule(rule: string, from: string): ReadHoliday["yearly"] {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(";")
      .map((part) => part.split("=", 2) as [string, string | undefined]),
  );
  const { month, day } = { month: Number(from.slice(5, 7)), day: Number(from.slice(8, 10)) };
  const isSame = (name: string, own: number) => !parts.has(name) || Number(parts.get(name)) === own;
  const isKnown = [...parts.keys()].every((name) =>
    ["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "WKST"].includes(name),
  );
  if (parts.get("FREQ") !== "YEARLY" || !isKnown || !isSame("BYMONTH", month) || !isSame("BYMONTHDAY", day))
    return null;
  const [interval, count] = [Number(parts.get("INTERVAL") ?? 1), Number(parts.get("COUNT") ?? Infinity)];
  const until = parts.has("UNTIL") ? dayOf(parts.get("UNTIL")) : null;
  if (!Number.isInteger(interval) || interval < 1 || count < 1 || Number.isNaN(count)) return null;
  return { interval, count, until };
}

function* occurrences(holiday: ReadHoliday, range: { from: string; to: string }): Iterable<Holiday> {
  const { from, to, name, yearly, except } = holiday;
  const lengthDays = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  // Holidays that start before this cannot reach the range. Skips the years since 1900.
  const earliest = addDays(range.from, -LONGEST_DAYS);
  const isLeapDay = from.endsWith("-02-29");
  const firstYear = Number(from.slice(0, 4));
  const lastYear = Number(range.to.slice(0, 4));
  let seen = 0;
  for (let year = firstYear; year <= (yearly ? lastYear : firstYear); year += yearly?.interval ?? 1) {
    const first = `${String(year).padStart(4, "0")}${from.slice(4)}`;
    // 29 February exists only in leap years and does not count in other years.
    if (isLeapDay && !isCalendarDate(first)) continue;
    seen += 1;
    if (seen > (yearly?.count ?? 1) || (yearly?.until && first > yearly.until)) return;
    if (first < earliest) continue;
    const last = addDays(first, lengthDays);
    if (!except.has(first) && last >= range.from && first <= range.to) yield { from: first, to: last, name };
  }
}
