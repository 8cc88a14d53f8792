import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkedCallingHours, nextAllowedInstant, type CallingHours } from "../../src/agents/calling-hours.ts";
import { calleeZones } from "../../src/core/callee-zone.ts";
import { DAY_MS, toIso } from "../../src/core/clock.ts";
import { wallTime } from "../../src/core/zones.ts";

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const hours = (start: string, end: string, days: number[] = EVERY_DAY): CallingHours => ({ start, end, days });
const next = (rule: CallingHours, zones: readonly string[], now: string) => {
  const instant = nextAllowedInstant(rule, zones, Date.parse(now));
  return instant === null ? null : toIso(instant);
};

describe("in one zone", () => {
  const india = ["Asia/Kolkata"];
  test.each([
    ["before the opening", "2026-11-16T08:59:00+05:30", "2026-11-16T09:00:00+05:30"],
    ["at the opening", "2026-11-16T09:00:00+05:30", "2026-11-16T09:00:00+05:30"],
    ["in the middle", "2026-11-16T12:34:56.789+05:30", "2026-11-16T12:34:56.789+05:30"],
    ["in the last millisecond", "2026-11-16T17:59:59.999+05:30", "2026-11-16T17:59:59.999+05:30"],
    ["at the closing", "2026-11-16T18:00:00+05:30", "2026-11-17T09:00:00+05:30"],
    ["on Saturday evening", "2026-11-21T19:00:00+05:30", "2026-11-23T09:00:00+05:30"],
    ["on Sunday", "2026-11-22T12:00:00+05:30", "2026-11-23T09:00:00+05:30"],
  ])("%s", (_, now, expected) => {
    expect(next(hours("09:00", "18:00", [1, 2, 3, 4, 5, 6]), india, now)).toBe(toIso(Date.parse(expected)));
  });

  test("a single day a week that has just ended recurs in a week", () => {
    expect(next(hours("09:00", "10:00", [1]), india, "2026-11-16T10:00:00+05:30")).toBe("2026-11-23T03:30:00.000Z");
  });
});

describe("when the clocks change", () => {
  const newYork = ["America/New_York"];
  test("spring: nine o'clock stays nine o'clock", () => {
    expect(next(hours("09:00", "18:00"), newYork, "2026-03-07T23:00:00Z")).toBe("2026-03-08T13:00:00.000Z");
    expect(next(hours("09:00", "18:00"), newYork, "2026-03-06T23:00:00Z")).toBe("2026-03-07T14:00:00.000Z");
  });

  test("spring: an opening inside the gap moves to its end", () => {
    expect(next(hours("02:30", "18:00"), newYork, "2026-03-08T05:30:00Z")).toBe("2026-03-08T07:00:00.000Z");
  });

  test("spring: hours entirely inside the gap wait for the next day", () => {
    expect(next(hours("02:15", "02:45"), newYork, "2026-03-08T05:30:00Z")).toBe("2026-03-09T06:15:00.000Z");
  });

  test("autumn: the day has an extra hour, and nine is still nine", () => {
    expect(next(hours("09:00", "18:00"), newYork, "2026-10-31T23:00:00Z")).toBe("2026-11-01T14:00:00.000Z");
  });
});

describe("with an unknown zone", () => {
  const everywhere = calleeZones("+18005550100");
  test("a North American number without a region must be allowed on both coasts, in Alaska and in Hawaii", () => {
    expect(everywhere).toEqual(["America/New_York", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"]);
  });

  test("nine to six is two to six in the east", () => {
    expect(next(hours("09:00", "18:00"), everywhere, "2026-11-16T14:00:00Z")).toBe("2026-11-16T19:00:00.000Z");
    expect(next(hours("09:00", "18:00"), everywhere, "2026-11-16T19:00:00Z")).toBe("2026-11-16T19:00:00.000Z");
    expect(next(hours("09:00", "18:00"), everywhere, "2026-11-16T22:59:59Z")).toBe("2026-11-16T22:59:59.000Z");
    expect(next(hours("09:00", "18:00"), everywhere, "2026-11-16T23:00:00Z")).toBe("2026-11-17T19:00:00.000Z");
  });

  test.each(["2026-07-01", "2026-12-01"])(
    "the legal hours, nine to eight, are open for at least five hours on %s",
    (day) => {
      const at = (hour: string) => `${day}T${hour}:00:00Z`;
      const opens = Date.parse(next(hours("09:00", "20:00"), everywhere, at("12"))!);
      const isOpen = (ms: number) =>
        next(hours("09:00", "20:00"), everywhere, new Date(ms).toISOString()) === new Date(ms).toISOString();
      expect(isOpen(opens + 5 * 3_600_000 - 1)).toBe(true);
    },
  );

  test("hours too short to overlap are never open", () => {
    expect(next(hours("09:00", "12:00"), everywhere, "2026-11-16T14:00:00Z")).toBeNull();
    expect(next(hours("09:00", "10:00", [1]), everywhere, "2026-11-16T14:00:00Z")).toBeNull();
  });
});

describe("where a number rings", () => {
  test.each([
    ["+919810012345", ["Asia/Kolkata"]],
    ["+12125550100", ["America/New_York"]],
    ["+13125550100", ["America/Chicago"]],
    ["+13035550100", ["America/Denver"]],
    ["+16025550100", ["America/Phoenix"]],
    ["+14155550100", ["America/Los_Angeles"]],
    ["+19075550100", ["America/Anchorage", "America/Adak"]],
    ["+18085550100", ["Pacific/Honolulu"]],
    ["+17875550100", ["America/Puerto_Rico"]],
    ["+15555550100", ["America/New_York", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"]],
  ])("%s", (number, zones) => {
    expect(calleeZones(number)).toEqual(zones);
  });
});

test("the result is the first instant inside the hours of every zone", () => {
  const zones = fc.subarray(["Asia/Kolkata", "America/New_York", "America/Los_Angeles", "Pacific/Honolulu"], {
    minLength: 1,
    maxLength: 2,
  });
  const minute = fc.integer({ min: 0, max: 24 * 60 - 2 });
  const clockTime = (at: number) =>
    `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
  const start = Date.parse("2026-01-01T00:00:00Z");
  fc.assert(
    fc.property(
      zones,
      minute,
      minute,
      fc.subarray(EVERY_DAY, { minLength: 1 }),
      fc.integer({ min: 0, max: 365 * 24 * 60 }),
      (inZones, a, b, days, startMinute) => {
        fc.pre(a !== b);
        const rule = hours(clockTime(Math.min(a, b)), clockTime(Math.max(a, b)), days);
        const isOpen = (at: number) =>
          inZones.every((zone) => {
            const wall = wallTime(at, zone);
            return (
              days.includes(wall.weekday) && wall.minuteOfDay >= Math.min(a, b) && wall.minuteOfDay < Math.max(a, b)
            );
          });
        const now = start + startMinute * 60_000;
        const found = nextAllowedInstant(rule, inZones, now);
        if (found !== null) expect(isOpen(found)).toBeTrue();
        const until = found ?? now + 7 * DAY_MS;
        for (let at = now; at < until; at += 17 * 60_000) expect(isOpen(at)).toBeFalse();
      },
    ),
    { numRuns: 60 },
  );
});

describe("calling hours are checked", () => {
  test("none means any time", () => {
    expect(checkedCallingHours(null)).toBeNull();
    expect(checkedCallingHours(undefined)).toBeNull();
  });

  test("and come back without anything extra", () => {
    expect(checkedCallingHours({ ...hours("09:00", "18:00"), note: "x" })).toEqual(hours("09:00", "18:00"));
  });

  test.each([
    ["the end first", hours("18:00", "09:00")],
    ["no time at all", hours("09:00", "09:00")],
    ["an hour that is none", hours("09:00", "24:00")],
    ["one digit", hours("9:00", "18:00")],
    ["no day", hours("09:00", "18:00", [])],
    ["an eighth day", hours("09:00", "18:00", [7])],
    ["half a day", hours("09:00", "18:00", [1.5])],
    ["a day twice", hours("09:00", "18:00", [1, 1])],
    ["text", "09:00-18:00"],
    ["a list", []],
  ])("%s is refused", (_, value) => {
    expect(() => checkedCallingHours(value)).toThrow("calling_hours");
  });
});
