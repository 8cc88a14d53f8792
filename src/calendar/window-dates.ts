// Expands windows and their date rows to one entry per window and date, with the remaining slots. No database access.
import type { Slot } from "../payloads/slot.ts";
import { capacityOf, type Capacity } from "./capacity.ts";
import { datesOn, type DateRange } from "./days.ts";
import type { Begins } from "./moments.ts";
import type { BookingWindow } from "./records.ts";
import type { TrackedWindow } from "./tracking-store.ts";
import { windowView } from "./views.ts";

export interface WindowOnDate {
  window: Slot;
  date: string;
  capacity: Capacity;
  overridden: boolean;
}

/** In order of date and time. Omits a date on which the wall clock skips the window's start. */
export function onTheirDates(
  rows: readonly TrackedWindow[],
  rangeAt: (branchId: string) => DateRange,
  beginsAt: (branchId: string) => Begins,
): WindowOnDate[] {
  const byWindow = new Map<string, TrackedWindow[]>();
  for (const row of rows) {
    const tracked = byWindow.get(row.id);
    if (tracked) tracked.push(row);
    else byWindow.set(row.id, [row]);
  }
  const datesOf = rememberedDates();
  // One bucket per date: sorting 13,000 entries by three keys took 17 ms of 80.
  const byDate = new Map<string, WindowOnDate[]>();
  for (const tracked of [...byWindow.values()].toSorted(byStart)) {
    const [window] = tracked;
    if (!window) continue;
    const range = rangeAt(window.branch_id);
    const due = { dates: datesOf(window.day, range), begins: beginsAt(window.branch_id) };
    for (const entry of ofWindow(window, tracked, range, due)) {
      const bucket = byDate.get(entry.date);
      if (bucket) bucket.push(entry);
      else byDate.set(entry.date, [entry]);
    }
  }
  return [...byDate.keys()].toSorted().flatMap((date) => byDate.get(date) ?? []);
}

function* ofWindow(
  window: BookingWindow,
  tracked: readonly TrackedWindow[],
  range: DateRange,
  due: { dates: ReadonlySet<string>; begins: Begins },
): Iterable<WindowOnDate> {
  const view = windowView(window);
  const rowOn = new Map(tracked.map((row) => [row.tracked_date, row]));
  const isDue = (date: string) => due.dates.has(date) && due.begins(date, window.start_time);
  for (const date of due.dates)
    if (due.begins(date, window.start_time)) yield onDate(window, view, date, rowOn.get(date));
  for (const row of tracked) {
    const { tracked_date: date, filled } = row;
    if (date === null || isDue(date) || (filled ?? 0) === 0 || date < range.from || date > range.to) continue;
    // Booked before the window moved to another weekday: shown, but no longer bookable.
    const entry = onDate(window, view, date, row);
    yield { ...entry, capacity: { ...entry.capacity, status: "CLOSED" } };
  }
}

function onDate(window: BookingWindow, view: Slot, date: string, row: TrackedWindow | undefined): WindowOnDate {
  const difference = row && {
    max_slots: row.date_max_slots,
    ai_slots: row.date_ai_slots,
    status: row.date_status,
    filled: row.filled ?? 0,
    ai_filled: row.ai_filled ?? 0,
  };
  return {
    window: view,
    date,
    capacity: capacityOf(window, difference, row?.held ?? 0),
    overridden: isOverridden(difference),
  };
}

/** Memoizes: 1,000 windows share seven weekdays. */
function rememberedDates(): (day: string, range: DateRange) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (day, range) => {
    const key = `${day} ${range.from} ${range.to}`;
    let dates = known.get(key);
    if (!dates) known.set(key, (dates = new Set(datesOn(day, range))));
    return dates;
  };
}

function byStart([a]: readonly TrackedWindow[], [b]: readonly TrackedWindow[]): number {
  return a && b ? compare(a.start_time, b.start_time) || compare(a.id, b.id) : 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isOverridden(
  row: { max_slots: number | null; ai_slots: number | null; status: string | null } | undefined,
): boolean {
  return row !== undefined && (row.max_slots !== null || row.ai_slots !== null || row.status !== null);
}
