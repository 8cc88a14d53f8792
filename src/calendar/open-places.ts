// Open slots of a branch from today on, as far ahead as the calendar allows.
import type { Clock } from "../core/clock.ts";
import { addDays } from "../core/zones.ts";
import { windowsOnDates, type Readers } from "./dated-windows.ts";
import { isOver, localNow, MOST_DAYS } from "./days.ts";
import { zoneOf } from "./directory-store.ts";
import { beginsIn } from "./moments.ts";
import type { WindowOnDate } from "./window-dates.ts";

/** In order of date and time. `from` applies if it is later than today. */
export async function openPlaces(
  readers: Readers,
  clock: Clock,
  organisationId: string,
  branchId: string,
  from: string,
): Promise<WindowOnDate[]> {
  const now = localNow(clock, await zoneOf(readers.reader, organisationId, branchId));
  const first = from > now.date ? from : now.date;
  const range = { from: first, to: addDays(first, MOST_DAYS - 1) };
  const begins = beginsIn(now.zone);
  const filter = { organisationId, branchId };
  const places = await windowsOnDates(readers, { filter, range, beginsAt: () => begins, now: clock.now() });
  return places.filter(
    ({ window, date, capacity }) =>
      capacity.status === "OPEN" && capacity.available > 0 && !isOver(date, window.end_time, now),
  );
}
