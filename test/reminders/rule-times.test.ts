// Due times of a rule: in the branch's time zone, across midnight and both daylight saving changes.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { minuteOf } from "../../src/calendar/moments.ts";
import { dueAt, nextInHours, startsAt, timeOf, type RuleTiming } from "../../src/reminders/rule-times.ts";
import { HOUR_MS } from "../../src/core/clock.ts";
import { addDays, wallTime } from "../../src/core/zones.ts";

const RULE: RuleTiming = {
  timing: "day_before",
  days_before: 1,
  at_minute: minuteOf("10:00"),
  hours_before: 24,
  from_minute: minuteOf("09:00"),
  to_minute: minuteOf("20:00"),
};
const iso = (instant: number) => new Date(instant).toISOString();

describe("the day before at ten", () => {
  test("is ten by New York's clock, before and after it is set forward", () => {
    // Clocks are set forward on Sunday, 8 March 2026.
    const on = (date: string) => iso(dueAt(RULE, { date, start_time: "09:00" }, "America/New_York"));
    expect(on("2026-03-08")).toBe("2026-03-07T15:00:00.000Z");
    expect(on("2026-03-09")).toBe("2026-03-08T14:00:00.000Z");
  });

  test("and before and after it is set back", () => {
    const on = (date: string) => iso(dueAt(RULE, { date, start_time: "09:00" }, "America/New_York"));
    expect(on("2026-11-01")).toBe("2026-10-31T14:00:00.000Z");
    expect(on("2026-11-02")).toBe("2026-11-01T15:00:00.000Z");
  });

  test("is the day before in Kolkata, although UTC has another date", () => {
    const night = { ...RULE, from_minute: 0, at_minute: minuteOf("00:15") };
    expect(iso(dueAt(night, { date: "2026-11-16", start_time: "00:30" }, "Asia/Kolkata"))).toBe(
      "2026-11-14T18:45:00.000Z",
    );
  });
});

describe("a number of hours before", () => {
  const rule: RuleTiming = { ...RULE, timing: "hours_before" };

  test("is elapsed time, whatever the clock does meanwhile", () => {
    const due = dueAt({ ...rule, hours_before: 24 }, { date: "2026-03-08", start_time: "12:00" }, "America/New_York");
    // Noon on the 23-hour day is 24 hours after eleven.
    expect(iso(due)).toBe("2026-03-07T16:00:00.000Z");
  });

  test("is brought forward to the previous evening if it falls in the night", () => {
    const due = (hours: number, start_time: string) =>
      iso(dueAt({ ...rule, hours_before: hours }, { date: "2026-11-16", start_time }, "Asia/Kolkata"));
    // 03:00 of the day itself, and 22:00 of the day before: both become 19:00 of the day before.
    expect(due(6, "09:00")).toBe("2026-11-15T13:30:00.000Z");
    expect(due(11, "09:00")).toBe("2026-11-15T13:30:00.000Z");
    expect(due(2, "12:00")).toBe("2026-11-16T04:30:00.000Z");
  });
});

const zone = fc.constantFrom(
  "America/New_York",
  "Asia/Kolkata",
  "Europe/London",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "UTC",
);
const day = fc.integer({ min: 0, max: 730 }).map((days) => addDays("2026-01-01", days));
const clockTime = fc.integer({ min: 0, max: 1_439 }).map(timeOf);
const timing = fc.record({
  timing: fc.constantFrom("day_before" as const, "hours_before" as const),
  days_before: fc.integer({ min: 1, max: 14 }),
  at_minute: fc.integer({ min: 720, max: 959 }),
  hours_before: fc.integer({ min: 1, max: 336 }),
  from_minute: fc.integer({ min: 240, max: 720 }),
  to_minute: fc.integer({ min: 960, max: 1_380 }),
});

describe("for every rule, time zone and day", () => {
  test("no call happens after the appointment has started, or outside the rule's hours", () => {
    fc.assert(
      fc.property(timing, day, clockTime, zone, (rule, date, start_time, where) => {
        const due = dueAt(rule, { date, start_time }, where);
        const { minuteOfDay } = wallTime(due, where);
        expect(due).toBeLessThan(startsAt({ date, start_time }, where));
        expect(minuteOfDay).toBeGreaterThanOrEqual(rule.from_minute);
        expect(minuteOfDay).toBeLessThan(rule.to_minute);
        expect(nextInHours(rule, due, where)).toBe(due);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a rule in days keeps its hour and its day", () => {
    fc.assert(
      fc.property(timing, day, clockTime, zone, (rule, date, start_time, where) => {
        const shown = wallTime(dueAt({ ...rule, timing: "day_before" }, { date, start_time }, where), where);
        expect([shown.date, shown.minuteOfDay]).toEqual([addDays(date, -rule.days_before), rule.at_minute]);
      }),
    );
  });

  test("the next allowed time is within a day, and within its hours", () => {
    const instant = fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2028-01-01") });
    fc.assert(
      fc.property(timing, instant, zone, (rule, now, where) => {
        const next = nextInHours(rule, now, where);
        expect(next - now).toBeGreaterThanOrEqual(0);
        expect(next - now).toBeLessThan(25 * HOUR_MS);
        expect(wallTime(next, where).minuteOfDay).toBeGreaterThanOrEqual(rule.from_minute);
      }),
    );
  });
});
