import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, hasOneOffset, instantOf, isShown, isTimeZone, wallTime, weekdayOf } from "../../src/core/zones.ts";

const iso = (epochMs: number) => new Date(epochMs).toISOString();
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

describe("time zone names", () => {
  test.each(["Asia/Kolkata", "America/New_York", "UTC", "Etc/GMT+5"])("%s is one", (name) =>
    expect(isTimeZone(name)).toBeTrue(),
  );
  test.each(["", "+05:30", "Mars/Olympus", "Asia/", " Asia/Kolkata", "05:30"])("%p is none", (name) =>
    expect(isTimeZone(name)).toBeFalse(),
  );
});

describe("the wall clock", () => {
  test.each([
    ["2026-11-15T06:00:00Z", "Asia/Kolkata", "2026-11-15", "11:30", 0],
    ["2026-11-15T18:30:00Z", "Asia/Kolkata", "2026-11-16", "00:00", 1],
    ["2026-11-15T18:29:59.999Z", "Asia/Kolkata", "2026-11-15", "23:59", 0],
    ["2026-07-04T03:59:00Z", "America/New_York", "2026-07-03", "23:59", 5],
    ["2026-03-08T06:59:00Z", "America/New_York", "2026-03-08", "01:59", 0],
    ["2026-03-08T07:00:00Z", "America/New_York", "2026-03-08", "03:00", 0],
    ["2028-02-29T12:00:00Z", "UTC", "2028-02-29", "12:00", 2],
  ])("at %s in %s shows %s %s", (instant, zone, date, clock, weekday) => {
    expect(wallTime(Date.parse(instant), zone)).toEqual({ date, minuteOfDay: minutes(clock), weekday });
  });

  test("shows the same whatever was asked before", () => {
    const shown = (at: number, zone: string) => {
      const options = { timeZone: zone, dateStyle: "short", timeStyle: "short" } as const;
      return new Intl.DateTimeFormat("sv-SE", options).format(at);
    };
    const start = Date.parse("2026-03-08T06:58:00Z");
    const asked = fc.record({
      at: fc.integer({ min: start, max: start + 5 * 60_000 }),
      zone: fc.constantFrom("Asia/Kolkata", "America/New_York"),
    });
    const property = fc.property(fc.array(asked, { maxLength: 20 }), (moments) => {
      for (const { at, zone } of moments) {
        const { date, minuteOfDay } = wallTime(at, zone);
        const [hour, minute] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
        const two = (value: number) => String(value).padStart(2, "0");
        expect(`${date} ${two(hour)}:${two(minute)}`).toBe(shown(at, zone));
      }
    });
    fc.assert(property, { numRuns: 50 });
  });
});

describe("the instant of a wall time", () => {
  test.each([
    ["in India", "Asia/Kolkata", "2026-11-15", "09:00", "2026-11-15T03:30:00.000Z"],
    ["at midnight in India", "Asia/Kolkata", "2026-11-15", "00:00", "2026-11-14T18:30:00.000Z"],
    ["in New York's winter", "America/New_York", "2026-01-15", "09:00", "2026-01-15T14:00:00.000Z"],
    ["in New York's summer", "America/New_York", "2026-07-15", "09:00", "2026-07-15T13:00:00.000Z"],
    ["before the spring gap", "America/New_York", "2026-03-08", "01:59", "2026-03-08T06:59:00.000Z"],
    ["behind the spring gap", "America/New_York", "2026-03-08", "03:00", "2026-03-08T07:00:00.000Z"],
    ["in the autumn overlap: the first", "America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00.000Z"],
    ["behind the autumn overlap", "America/New_York", "2026-11-01", "02:00", "2026-11-01T07:00:00.000Z"],
  ])("%s", (_, zone, date, clock, instant) => {
    expect(iso(instantOf(date, minutes(clock), zone))).toBe(instant);
  });

  test.each(["02:00", "02:01", "02:30", "02:59"])(
    "%s, which the spring gap leaves out, is the instant the clock jumps to",
    (clock) => {
      expect(iso(instantOf("2026-03-08", minutes(clock), "America/New_York"))).toBe("2026-03-08T07:00:00.000Z");
    },
  );

  test("reads back as that wall time, outside of gaps", () => {
    const zone = fc.constantFrom(
      "Asia/Kolkata",
      "America/New_York",
      "America/Los_Angeles",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "UTC",
    );
    const day = fc.integer({ min: 0, max: 365 * 20 });
    let gaps = 0;
    fc.assert(
      fc.property(zone, day, fc.integer({ min: 0, max: 1439 }), (where, days, minuteOfDay) => {
        const date = addDays("2020-01-01", days);
        const shown = wallTime(instantOf(date, minuteOfDay, where), where);
        if (shown.date === date && shown.minuteOfDay === minuteOfDay) return;
        // Only a gap may move it, and then forward by no more than the gap.
        gaps += 1;
        expect(shown.date).toBe(date);
        expect(shown.minuteOfDay - minuteOfDay).toBeWithin(1, 61);
      }),
      { numRuns: 2_000 },
    );
    expect(gaps).toBeLessThan(20);
  });

  test("is never later than that of a later wall time", () => {
    const day = fc.constantFrom("2026-03-08", "2026-11-01", "2026-06-01");
    const minute = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(day, minute, minute, (date, a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)].map((m) => instantOf(date, m, "America/New_York"));
        return first! <= second!;
      }),
      { examples: [["2026-03-08", 179, 180]] },
    );
  });
});

test("days are added by the calendar, over months, leap days and daylight saving", () => {
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});

test("Sunday is 0", () => {
  expect(["2026-11-15", "2026-11-16", "2026-11-21"].map(weekdayOf)).toEqual([0, 1, 6]);
});

describe("whether the wall clock shows a time", () => {
  test.each([
    ["in the spring gap", "America/New_York", "2026-03-08", "02:30", false],
    ["at its first minute", "America/New_York", "2026-03-08", "02:00", false],
    ["before it", "America/New_York", "2026-03-08", "01:59", true],
    ["behind it", "America/New_York", "2026-03-08", "03:00", true],
    ["on another day", "America/New_York", "2026-03-15", "02:30", true],
    ["in an hour that comes twice", "America/New_York", "2026-11-01", "01:30", true],
    ["in a gap at midnight", "America/Santiago", "2026-09-06", "00:30", false],
    ["in a gap of half an hour", "Australia/Lord_Howe", "2026-10-04", "02:15", false],
    ["on a day that was left out", "Pacific/Apia", "2011-12-30", "10:00", false],
    ["where clocks are never changed", "Asia/Kolkata", "2026-03-08", "02:30", true],
  ])("%s", (_, zone, date, clock, shown) => expect(isShown(date, minutes(clock), zone)).toBe(shown));

  test("is what all instants around the date say, in every zone", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const HOUR_MS = 3_600_000;
    const STEP_MS = 15 * 60_000;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 2026, max: 2036 }),
        fc.integer({ min: 0, max: 364 }),
        (zone, year, quietDay) => {
          const days = Array.from({ length: 365 }, (_, day) => addDays(`${year}-01-01`, day));
          const looked = [...days.filter((date) => !hasOneOffset(date, zone)), days[quietDay] ?? ""];
          for (const date of looked) {
            const midnight = Date.parse(`${date}T00:00:00Z`);
            const seen = new Set<number>();
            for (let at = midnight - 15 * HOUR_MS; at < midnight + 39 * HOUR_MS; at += STEP_MS) {
              const shown = wallTime(at, zone);
              if (shown.date === date) seen.add(shown.minuteOfDay);
            }
            for (let minute = 0; minute < 24 * 60; minute += 15) {
              expect(`${zone} ${date} ${minute} ${isShown(date, minute, zone)}`).toBe(
                `${zone} ${date} ${minute} ${seen.has(minute)}`,
              );
              if (seen.has(minute)) {
                const { date: onDate, minuteOfDay } = wallTime(instantOf(date, minute, zone), zone);
                expect([onDate, minuteOfDay]).toEqual([date, minute]);
              }
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
