// Assigns the next free slot of the same service to each person in turn, so no slot is shown to more people than it has
// room for.
import type { WindowOnDate } from "./window-dates.ts";

export interface Placed {
  date: string;
  start_time: string;
  appointment_type_id: string | null;
}

export interface Places {
  /** Takes the first free slot after the person's old time. Undefined if there is none. */
  take(person: Placed): WindowOnDate | undefined;
}

/** `open` is in order of date and time, as returned by onTheirDates. */
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

/** A window for one service does not accept appointments without a service. */
function serves({ window }: WindowOnDate, service: string | null): boolean {
  return window.appointment_type === null || window.appointment_type === service;
}
