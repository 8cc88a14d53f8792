import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MOST_DAYS, dateRange, datesOn, dayOf, isOver, localNow } from "../../src/calendar/days.ts";
import { DAYS } from "../../src/payloads/slot.ts";
import { addDays } from "../../src/core/zones.ts";
import { createManualClock } from "../support/manual-clock.ts";

const nowAt = (iso: string, zone: string) => localNow(createManualClock(Date.parse(iso)), zone);
const refusedOn = (field: string) =>
  expect.objectContaining({ code: "VALIDATION_ERROR", details: [expect.objectContaining({ field })] });

describe("the day of a date", () => {
  test.each([
    ["2026-11-15", "sunday"],
    ["2026-11-16", "monday"],
    ["2028-02-29", "tuesday"],
    ["2027-01-01", "friday"],
  ] as const)("%s is a %s", (date, day) => {
    expect(dayOf(date)).toBe(day);
  });
});

describe("a range", () => {
  test("is today and 14 more days by default", () => {
    expect(dateRange({}, "2026-11-15")).toEqual({ from: "2026-11-15", to: "2026-11-29" });
  });

  test("extends 14 days from its own start", () => {
    expect(dateRange({ from: "2028-02-20" }, "2026-11-15")).toEqual({ from: "2028-02-20", to: "2028-03-05" });
  });

  test("starts today if only its end is given", () => {
    expect(dateRange({ to: "2026-11-16" }, "2026-11-15")).toEqual({ from: "2026-11-15", to: "2026-11-16" });
  });

  test("can be one day, and can lie in the past", () => {
    expect(dateRange({ from: "2020-02-29", to: "2020-02-29" }, "2026-11-15")).toEqual({
      from: "2020-02-29",
      to: "2020-02-29",
    });
  });

  test("covers 92 days with both ends, and not 93", () => {
    const from = "2027-12-15";
    expect(dateRange({ from, to: addDays(from, MOST_DAYS - 1) }, from).to).toBe("2028-03-15");
    expect(() => dateRange({ from, to: "2028-03-16" }, from)).toThrow(refusedOn("to"));
  });

  test("does not end before it begins", () => {
    expect(() => dateRange({ from: "2026-11-16", to: "2026-11-15" }, "2026-11-15")).toThrow(refusedOn("to"));
    expect(() => dateRange({ to: "2026-11-14" }, "2026-11-15")).toThrow(refusedOn("to"));
  });

  test.each(["2026-02-30", "2027-02-29", "today", "2026-1-1", "", "20261115"])("%p is not a valid date", (text) => {
    expect(() => dateRange({ from: text }, "2026-11-15")).toThrow(refusedOn("from"));
    expect(() => dateRange({ to: text }, "2026-11-15")).toThrow(refusedOn("to"));
  });

  test("at the end of the calendar is rejected or short, never endless", () => {
    expect(() => dateRange({ from: "9999-12-25" }, "2026-11-15")).toThrow(refusedOn("to"));
    expect(dateRange({ from: "9999-12-25", to: "9999-12-31" }, "2026-11-15").to).toBe("9999-12-31");
    for (const day of DAYS) {
      const dates = datesOn(day, { from: "9999-10-01", to: "9999-12-31" });
      expect(dates.length).toBeWithin(13, 15);
      expect(dates.every((date) => /^9999-1[0-2]-\d\d$/.test(date))).toBe(true);
    }
  });
});

describe("the dates of a weekday in a range", () => {
  const november = { from: "2026-11-15", to: "2026-11-29" };

  test("both ends count", () => {
    expect(datesOn("sunday", november)).toEqual(["2026-11-15", "2026-11-22", "2026-11-29"]);
    expect(datesOn("monday", november)).toEqual(["2026-11-16", "2026-11-23"]);
    expect(datesOn("saturday", november)).toEqual(["2026-11-21", "2026-11-28"]);
  });

  test("a range of one day contains only that day", () => {
    const oneDay = { from: "2026-11-16", to: "2026-11-16" };
    expect(DAYS.flatMap((day) => datesOn(day, oneDay).map((date) => [day, date]))).toEqual([["monday", "2026-11-16"]]);
  });

  test("29 February exists in leap years only", () => {
    expect(datesOn("tuesday", { from: "2028-02-22", to: "2028-03-07" })).toEqual([
      "2028-02-22",
      "2028-02-29",
      "2028-03-07",
    ]);
    expect(datesOn("monday", { from: "2027-02-22", to: "2027-03-01" })).toEqual(["2027-02-22", "2027-03-01"]);
  });

  test("weeks with a daylight saving change have seven days", () => {
    expect(datesOn("sunday", { from: "2026-03-01", to: "2026-03-15" })).toEqual([
      "2026-03-01",
      "2026-03-08",
      "2026-03-15",
    ]);
    expect(datesOn("sunday", { from: "2026-10-25", to: "2026-11-08" })).toEqual([
      "2026-10-25",
      "2026-11-01",
      "2026-11-08",
    ]);
  });

  test("the seven weekdays together cover every date of the range once", () => {
    const anyDate = fc.integer({ min: 0, max: 60_000 }).map((days) => addDays("1970-01-01", days));
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 0, max: MOST_DAYS - 1 }), (from, more) => {
        const range = { from, to: addDays(from, more) };
        const all = DAYS.flatMap((day) => {
          const dates = datesOn(day, range);
          expect(dates.every((date) => dayOf(date) === day)).toBe(true);
          return dates;
        });
        expect(all.toSorted()).toEqual(Array.from({ length: more + 1 }, (_, i) => addDays(from, i)));
      }),
      { numRuns: 200 },
    );
  });
});

describe("the branch's wall clock", () => {
  test.each([
    ["2026-11-15T06:00:00Z", "Asia/Kolkata", "2026-11-15", "11:30"],
    ["2026-11-15T18:29:59Z", "Asia/Kolkata", "2026-11-15", "23:59"],
    ["2026-11-15T18:30:00Z", "Asia/Kolkata", "2026-11-16", "00:00"],
    ["2026-12-31T20:00:00Z", "Asia/Kolkata", "2027-01-01", "01:30"],
    ["2028-02-29T03:00:00Z", "America/New_York", "2028-02-28", "22:00"],
    // The gap: 01:59 is followed by 03:00.
    ["2026-03-08T06:59:00Z", "America/New_York", "2026-03-08", "01:59"],
    ["2026-03-08T07:00:00Z", "America/New_York", "2026-03-08", "03:00"],
    // The overlap: 01:30 occurs twice.
    ["2026-11-01T05:30:00Z", "America/New_York", "2026-11-01", "01:30"],
    ["2026-11-01T06:30:00Z", "America/New_York", "2026-11-01", "01:30"],
    // The clock jumps at midnight here, so midnight does not exist.
    ["2026-09-06T03:59:00Z", "America/Santiago", "2026-09-05", "23:59"],
    ["2026-09-06T04:00:00Z", "America/Santiago", "2026-09-06", "01:00"],
    ["2026-11-15T18:14:59Z", "Asia/Kathmandu", "2026-11-15", "23:59"],
    ["2026-11-15T10:00:00Z", "Pacific/Kiritimati", "2026-11-16", "00:00"],
  ])("%s in %s", (iso, zone, date, time) => {
    expect(nowAt(iso, zone)).toMatchObject({ date, time, at: Date.parse(iso), zone });
  });
});

describe("a session", () => {
  const now = nowAt("2026-11-16T12:00:00Z", "UTC");

  test.each([
    ["2026-11-15", "23:59", true],
    ["2026-11-16", "11:59", true],
    ["2026-11-16", "12:00", true],
    ["2026-11-16", "12:01", false],
    ["2026-11-17", "00:01", false],
    ["2027-01-01", "09:00", false],
  ])("of %s that ends at %s is over: %p", (date, endTime, over) => {
    expect(isOver(date, endTime, now)).toBe(over);
  });

  test("is not over at midnight, when the day begins", () => {
    expect(isOver("2026-11-16", "00:01", nowAt("2026-11-15T18:30:00Z", "Asia/Kolkata"))).toBe(false);
  });

  test("that ends inside the spring gap is over once the clock has jumped", () => {
    expect(isOver("2026-03-08", "02:30", nowAt("2026-03-08T06:59:00Z", "America/New_York"))).toBe(false);
    expect(isOver("2026-03-08", "02:30", nowAt("2026-03-08T07:00:00Z", "America/New_York"))).toBe(true);
  });
});
