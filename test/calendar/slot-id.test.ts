import { describe, expect, test } from "bun:test";
import {
  availabilitySlotId,
  calendarIdOf,
  datedSlotOf,
  isCalendarDate,
  trackingSlotId,
} from "../../src/calendar/slot-id.ts";

const CALENDAR = "0190a1b2-0000-7000-8000-000000000001";
const SERVICE = "0190a1b2-0000-7000-8000-000000000002";

describe("writing a slot_id", () => {
  test("availability: calendar and date", () => {
    expect(availabilitySlotId(CALENDAR, "2026-11-16")).toBe(`${CALENDAR}||2026-11-16`);
  });

  test("tracking: calendar, date and service, or any", () => {
    expect(trackingSlotId(CALENDAR, "2026-11-16", SERVICE)).toBe(`${CALENDAR}||2026-11-16||${SERVICE}`);
    expect(trackingSlotId(CALENDAR, "2026-11-16", null)).toBe(`${CALENDAR}||2026-11-16||any`);
  });
});

describe("the window of a slot_id", () => {
  test.each([
    ["plain", CALENDAR],
    ["with a date", `${CALENDAR}||2026-11-16`],
    ["with a date and a service", `${CALENDAR}||2026-11-16||${SERVICE}`],
    ["with a date and any", `${CALENDAR}||2026-11-16||any`],
    ["percent-encoded", `${CALENDAR}%7C%7C2026-11-16%7C%7Cany`],
    ["percent-encoded in lower case", `${CALENDAR}%7c%7c2026-11-16`],
    ["half encoded", `${CALENDAR}|%7C2026-11-16`],
    ["in upper case", CALENDAR.toUpperCase()],
    ["with nonsense after the first ||", `${CALENDAR}||whatever||x||y`],
    ["with nothing after the first ||", `${CALENDAR}||`],
  ])("%s", (_form, slotId) => {
    expect(calendarIdOf(slotId)).toBe(CALENDAR);
  });

  test.each(["", "||", "garbage", `||${CALENDAR}`, `${CALENDAR}|2026-11-16`, ` ${CALENDAR}`, `${CALENDAR}0`, "%7C%7C"])(
    "%p names no window",
    (slotId) => {
      expect(() => calendarIdOf(slotId)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    },
  );
});

describe("the window and date of a slot_id", () => {
  test.each([`${CALENDAR}||2026-11-16`, `${CALENDAR}||2026-11-16||any`, `${CALENDAR}%7C%7C2026-11-16%7c%7c${SERVICE}`])(
    "%p",
    (slotId) => {
      expect(datedSlotOf(slotId)).toEqual({ calendarId: CALENDAR, date: "2026-11-16" });
    },
  );

  test.each([CALENDAR, `${CALENDAR}||`, `${CALENDAR}||2026-02-30`, `${CALENDAR}||16.11.2026`, "x||2026-11-16", ""])(
    "%p is refused, naming the field",
    (slotId) => {
      expect(() => datedSlotOf(slotId)).toThrow(
        expect.objectContaining({
          code: "VALIDATION_ERROR",
          details: [{ field: "slot_id", message: expect.stringContaining("<calendar_id>||<YYYY-MM-DD>") }],
        }),
      );
    },
  );
});

test.each(["2026-11-16", "2028-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])("%s is a date", (text) => {
  expect(isCalendarDate(text)).toBe(true);
});

test.each([
  "2026-02-29",
  "2100-02-29",
  "2026-02-30",
  "2026-13-01",
  "2026-00-10",
  "2026-1-1",
  "2026-11-16T00:00",
  "",
  "+010000-01",
])("%p is none", (text) => {
  expect(isCalendarDate(text)).toBe(false);
});
