// The next free place of the same service, person after person: nobody is shown a place that somebody before them was
// given.
import type { WindowOnDate } from "./window-dates.ts";

export interface Placed {
  date: string;
  start_time: string;
  appointment_type_id: string | null;
}

export interface Places {
  /** Takes the first free place after the time that they had. Undefined where there is none. */
  take(person: Placed): WindowOnDate | undefined;
}

/** `open` in order of date and time, as onTheirDates gives them. */
export function createPlaces(open: readonly WindowOnDate[]): Places {
  const left = new Map(open.map((place) => [place, place.capacity.available]));
  return {
    take(person) {
      const found = open.find(
        (place) => (left.get(place) ?? 0) > 0 && isLater(place, person) && serves(place, person.appointment_type_id),
      );
      if (found) left.set(found, (left.get(found) ?? 0) - 1);
      return found;
    },
  };
}

function isLater({ date, window }: WindowOnDate, person: Placed): boolean {
  return date > person.date || (date === person.date && window.start_time > person.start_time);
}

/** A window for one service takes nobody who came for no named one. */
function serves({ window }: WindowOnDate, service: string | null): boolean {
  return window.appointment_type === null || window.appointment_type === service;
}
