// Windows on the dates of a range, read from the database. A long range is read on a reader thread and assembled week
// by week: 1,000 windows over 92 days are 13,000 entries, which blocked the serving thread for 80 ms.
import { addDays } from "../core/zones.ts";
import type { Executor } from "../db/tables.ts";
import { daysBetween, type DateRange } from "./days.ts";
import type { Begins } from "./moments.ts";
import { trackedWindows, type TrackingFilter } from "./tracking-store.ts";
import { onTheirDates, type WindowOnDate } from "./window-dates.ts";

export interface Readers {
  readonly reader: Executor;
  /** Null inside a transaction, which reads on its own connection. */
  readonly heavy: Executor | null;
}

export interface DatesQuestion {
  filter: TrackingFilter;
  /** The range that is read. */
  range: DateRange;
  /** The part of it that applies to a branch. */
  rangeAt?: (branchId: string) => DateRange;
  beginsAt: (branchId: string) => Begins;
  now: number;
}

/**
 * The default range plus one day at each end. A caller on the phone waits for this read, so it must not queue behind
 * searches.
 */
const MOST_DAYS_AT_ONCE = 17;
const DAYS_PER_PIECE = 7;

/** In order of date and time. */
export async function windowsOnDates(readers: Readers, question: DatesQuestion): Promise<WindowOnDate[]> {
  const { filter, range, rangeAt = () => range, beginsAt, now } = question;
  const { reader, heavy } = readers;
  if (!heavy || daysBetween(range.from, range.to) < MOST_DAYS_AT_ONCE)
    return onTheirDates(await trackedWindows(reader, filter, range, now), rangeAt, beginsAt);
  const found: WindowOnDate[] = [];
  for (const piece of piecesOf(range)) {
    const rows = await trackedWindows(heavy, filter, piece, now);
    for (const place of onTheirDates(rows, (branch) => overlap(rangeAt(branch), piece), beginsAt)) found.push(place);
  }
  return found;
}

function* piecesOf({ from, to }: DateRange): Iterable<DateRange> {
  const last = daysBetween(from, to);
  for (let first = 0; first <= last; first += DAYS_PER_PIECE)
    yield { from: addDays(from, first), to: addDays(from, Math.min(first + DAYS_PER_PIECE - 1, last)) };
}

const overlap = (a: DateRange, b: DateRange): DateRange => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to < b.to ? a.to : b.to,
});
