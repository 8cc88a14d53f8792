// Combines the spoken days into one day or one range, or reports a conflict that the agent asks about.
import { addDays, weekdayOf } from "../../../core/zones.ts";
import { weekdayWithin } from "./calendar-days.ts";
import { type FoundPiece, type Piece, textBefore } from "./pieces.ts";

/** Length of an open range such as "after the 20th". */
const OPEN_END_DAYS = 13;
/** One year, the planning horizon for slots. */
const MAX_DAYS_AHEAD = 365;

export interface SaidDay {
  from: string;
  /** Last day of a range. */
  to: string | null;
  /** Set if only a weekday was named. */
  bareWeekday: number | null;
}

interface Placed extends SaidDay {
  weekday: number | null;
  isDated: boolean;
  at: number;
  end: number;
}

const CORRECTED = / (?:no|sorry|i mean|rather|make (?:it|that)|wait|better|or rather)(?= )/;
const JOINED = / (?:or|and|to|till|until|through|thru)(?= |$)/;
const FROM_TO = / (?:to|till|until|through|thru)(?= |$)/;

const BEFORE_IT = / (?:before|earlier than)(?: the| this| next| coming)?$/;
const UP_TO_IT = / (?:by|until|till|up to|latest)(?: the)?$/;
const AFTER_IT = / (?:after|later than)(?: the)?$/;
const FROM_IT_ON =
  / (?:(?:not(?: [a-z]+){0,3} (?:before|until|till))|from|starting|starting from|beginning|(?:busy|away|travelling|traveling|out of town|out of station|not (?:free|available|here|back))(?: [a-z]+){0,2} (?:until|till))(?: the)?$/;

/** Null: no day. "conflict": the parts contradict each other. */
export function saidDay(pieces: readonly FoundPiece[], unread: string, today: string): SaidDay | "conflict" | null {
  const days: Placed[] = [];
  for (const { piece, at, end } of pieces) {
    if (piece.kind === "dayOfMonth" && piece.date === null) return "conflict";
    const placed = place(piece, at, end);
    if (placed) days.push(placed);
  }
  let said: Placed | null = null;
  for (const next of days) {
    const between: string = said ? unread.slice(said.end, next.at) : "";
    const joined: Placed | null = said ? join(said, next, between) : bounded(next, unread, today, days.length > 1);
    if (!joined) return "conflict";
    said = joined;
  }
  return said && within(said, today);
}

function place(piece: Piece, at: number, end: number): Placed | null {
  const base = { at, end, to: null, weekday: null, bareWeekday: null, isDated: false };
  switch (piece.kind) {
    case "day":
      return {
        ...base,
        from: piece.date,
        weekday: piece.weekday ?? null,
        bareWeekday: piece.isBare ? (piece.weekday ?? null) : null,
      };
    case "dayOfMonth":
      return piece.date === null ? null : { ...base, from: piece.date, isDated: true };
    case "range":
      return { ...base, from: piece.from, to: piece.to };
    case "instant":
      return { ...base, from: piece.date };
    case "time":
    case "part":
      return null;
  }
}

/** "Before Friday", "after the 20th", "from Monday on"; "from Monday to Wednesday" is joined later. */
function bounded(day: Placed, unread: string, today: string, isOneOfSeveral: boolean): Placed {
  const before = textBefore(unread, day.at);
  const asRange = (from: string, to: string): Placed => ({ ...day, from, to, bareWeekday: null });
  if (FROM_IT_ON.test(before)) return isOneOfSeveral ? day : asRange(day.from, addDays(day.from, OPEN_END_DAYS));
  if (BEFORE_IT.test(before)) return day.from > today ? asRange(today, addDays(day.from, -1)) : day;
  if (UP_TO_IT.test(before)) return day.from > today ? asRange(today, day.to ?? day.from) : day;
  if (AFTER_IT.test(before)) {
    const from = addDays(day.to ?? day.from, 1);
    return asRange(from, addDays(from, OPEN_END_DAYS));
  }
  return day;
}

function join(said: Placed, next: Placed, between: string): Placed | null {
  const agreed = agree(said, next);
  if (agreed) return { ...agreed, at: said.at, end: next.end };
  if (CORRECTED.test(between)) return next;
  if (!JOINED.test(between) || next.from <= said.from) return null;
  const lastOfSaid = said.to ?? said.from;
  const isRange = FROM_TO.test(between) || next.from === addDays(lastOfSaid, 1);
  return isRange ? { ...next, from: said.from, to: next.to ?? next.from, bareWeekday: null, at: said.at } : null;
}

/** A weekday next to a date or week must fall within it. */
function agree(one: Placed, other: Placed): Placed | null {
  if (one.from === other.from && one.to === other.to) return one.isDated ? one : other;
  for (const [weekday, date] of [
    [one, other],
    [other, one],
  ] as const) {
    if (weekday.weekday === null || weekday.to !== null) continue;
    if (date.to !== null && weekday.bareWeekday !== null) {
      const day = weekdayWithin({ from: date.from, to: date.to }, weekday.weekday);
      return day <= date.to ? { ...weekday, from: day, bareWeekday: null } : null;
    }
    if (date.to === null && date.isDated && weekdayOf(date.from) === weekday.weekday) return date;
  }
  // "Tomorrow, the 16th", "this week, tomorrow".
  if (one.to !== null && other.to === null && other.from >= one.from && other.from <= one.to) return other;
  return null;
}

export const isAhead = (date: string, today: string) => date >= today && date <= addDays(today, MAX_DAYS_AHEAD);

/** Drops days in the past or more than a year ahead. */
function within({ from, to, bareWeekday }: SaidDay, today: string): SaidDay | null {
  if ((to ?? from) < today || from > addDays(today, MAX_DAYS_AHEAD)) return null;
  const start = from < today ? today : from;
  return { from: start, to: to === null || to <= start ? null : to, bareWeekday };
}
