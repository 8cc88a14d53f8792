// Dates and times as hospitals' exports write them.
import { describe, expect, test } from "bun:test";
import { dayIn, endIn, minuteIn, momentIn, orderOf } from "../../../src/exchange/folder/reading/written-time.ts";

const HOW = { order: "dmy" as const, zone: "Asia/Kolkata" };

test.each([
  ["2026-11-16", "2026-11-16"],
  ["2026/1/6", "2026-01-06"],
  ["20261116", "2026-11-16"],
  ["16/11/2026", "2026-11-16"],
  ["16.11.26", "2026-11-16"],
  ["6-1-2026 10:15", "2026-01-06"],
  ["16 Nov 2026", "2026-11-16"],
  ["16-November-26", "2026-11-16"],
  ["31/02/2026", null],
  ["16/13/2026", null],
  ["16 Foo 2026", null],
  ["tomorrow", null],
  ["", null],
  ["161/11/2026", null],
])("%p is the date %p", (text, date) => {
  expect(dayIn(text, "dmy")?.date ?? null).toBe(date);
});

test("the order of day and month is as set", () => {
  expect(dayIn("03/04/2026", "dmy")?.date).toBe("2026-04-03");
  expect(dayIn("03/04/2026", "mdy")?.date).toBe("2026-03-04");
  expect(dayIn("2026-04-03", "mdy")?.date).toBe("2026-04-03");
});

test.each([
  ["10:15", 615],
  ["9.05", 545],
  ["1015", 615],
  ["10:15:30", 615],
  ["2:30 PM", 870],
  ["12:00 am", 0],
  ["12 p.m.", 720],
  ["10", null],
  ["24:00", null],
  ["10:60", null],
  ["13:00 pm", null],
  ["soon", null],
])("%p is the minute %p of the day", (text, minute) => {
  expect(minuteIn(text)).toBe(minute);
});

describe("a moment", () => {
  test.each([
    ["16/11/2026", "10:15", "2026-11-16T04:45:00.000Z"],
    ["16/11/2026 10:15", null, "2026-11-16T04:45:00.000Z"],
    ["2026-11-16T10:15", "", "2026-11-16T04:45:00.000Z"],
    ["2026-11-16T10:15:00+01:00", null, "2026-11-16T09:15:00.000Z"],
    ["16/11/2026", null, null],
    ["16/11/2026", "late", null],
  ])("%p with the time %p is %p", (date, time, iso) => {
    const moment = momentIn(date, time, HOW);
    expect(moment === null ? null : new Date(moment.instant).toISOString()).toBe(iso);
  });

  test("ends at a time, after minutes, or at a moment", () => {
    const start = momentIn("16/11/2026", "10:15", HOW)!;
    const minutes = (text: string) => {
      const end = endIn(text, start, HOW);
      return end === null ? null : (end - start.instant) / 60_000;
    };
    expect(["10:45", "20", "16/11/2026 11:15", "never"].map(minutes)).toEqual([30, 20, 60, null]);
  });
});

test("the order of dates is found from days beyond 12", () => {
  expect(orderOf(["03/04/2026", "16/04/2026"])).toBe("dmy");
  expect(orderOf(["03/04/2026", "04/16/2026"])).toBe("mdy");
  expect(orderOf(["2026-04-03"])).toBe("ymd");
  expect(orderOf(["03/04/2026", ""])).toBeNull();
});
