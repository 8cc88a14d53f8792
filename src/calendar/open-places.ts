// What is open at a branch from today on, as far ahead as the calendar answers.
import type { Clock } from "../core/clock.ts";
import { addDays } from "../core/zones.ts";
import type { Executor } from "../db/tables.ts";
import { isOver, localNow, MOST_DAYS } from "./days.ts";
import { zoneOf } from "./directory-store.ts";
import { beginsIn } from "./moments.ts";
import { trackedWindows } from "./tracking-store.ts";
import { onTheirDates, type WindowOnDate } from "./window-dates.ts";

/** In order of date and time. `from` where it is later than today. */
export async function openPlaces(
  executor: Executor,
  clock: Clock,
  organisationId: string,
  branchId: string,
  from: string,
): Promise<WindowOnDate[]> {
  const now = localNow(clock, await zoneOf(executor, organisationId, branchId));
  const first = from > now.date ? from : now.date;
  const range = { from: first, to: addDays(first, MOST_DAYS - 1) };
  const rows = await trackedWindows(executor, { organisationId, branchId }, range, clock.now());
  const begins = beginsIn(now.zone);
  const places = onTheirDates(
    rows,
    () => range,
    () => begins,
  );
  return places.filter(
    ({ window, date, capacity }) =>
      capacity.status === "OPEN" && capacity.available > 0 && !isOver(date, window.end_time, now),
  );
}
