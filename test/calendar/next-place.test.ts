// The next free slot, for any order of requests: never above capacity, never earlier, never of another service.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, weekdayOf } from "../../src/core/zones.ts";
import { datesOn } from "../../src/calendar/days.ts";
import { DAYS } from "../../src/payloads/slot.ts";
import { createPlaces } from "../../src/calendar/next-place.ts";
import { onTheirDates } from "../../src/calendar/window-dates.ts";
import { windowRow } from "./rows.ts";

const START = "2026-03-01";
const services = fc.constantFrom(null, "one", "two");
const hours = fc.constantFrom(["09:00", "12:00"], ["13:00", "17:00"]);

test("no person gets a slot that is taken, earlier than theirs, or for another service", () => {
  const windows = fc.array(
    fc.record({ day: fc.constantFrom(...DAYS), hours, service: services, max: fc.integer({ min: 0, max: 3 }) }),
    { maxLength: 8 },
  );
  const people = fc.array(fc.record({ days: fc.integer({ min: 0, max: 40 }), hours, service: services }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(windows, people, (given, asking) => {
      const range = { from: START, to: addDays(START, 27) };
      const rows = given.map(({ day, hours: [start_time, end_time], service, max }, i) => ({
        ...windowRow({
          id: `w${i}`,
          day,
          start_time: start_time,
          end_time: end_time,
          appointment_type_id: service,
          max_slots: max,
          ai_slots: 0,
        }),
        tracked_date: null,
        date_max_slots: null,
        date_ai_slots: null,
        date_status: null,
        filled: null,
        ai_filled: null,
        held: 0,
      }));
      const open = onTheirDates(
        rows,
        () => range,
        () => () => true,
      );
      const places = createPlaces(open);
      const taken = new Map<string, number>();
      for (const {
        days,
        hours: [start_time],
        service,
      } of asking) {
        const person = { date: addDays(START, days), start_time: start_time, appointment_type_id: service };
        const place = places.take(person);
        const fits = open.filter(
          ({ window, date, capacity }) =>
            `${date} ${window.start_time}` > `${person.date} ${person.start_time}` &&
            (window.appointment_type === null || window.appointment_type === service) &&
            (taken.get(`${window.slot_id} ${date}`) ?? 0) < capacity.maxSlots,
        );
        expect(place).toBe(fits[0]);
        if (place)
          taken.set(
            `${place.window.slot_id} ${place.date}`,
            (taken.get(`${place.window.slot_id} ${place.date}`) ?? 0) + 1,
          );
      }
    }),
    { numRuns: 60 },
  );
});

test("a range contains each of its days once, across every daylight saving change", () => {
  const date = fc.date({ min: new Date("2025-01-01"), max: new Date("2029-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 91 }), (from, length) => {
      const first = from.toISOString().slice(0, 10);
      const range = { from: first, to: addDays(first, length) };
      const days = DAYS.flatMap((day, i) => {
        const dates = datesOn(day, range);
        expect(dates.every((each) => weekdayOf(each) === i)).toBeTrue();
        return dates;
      });
      expect(days.toSorted()).toEqual(Array.from({ length: length + 1 }, (_, i) => addDays(first, i)));
    }),
    { numRuns: 200 },
  );
});
