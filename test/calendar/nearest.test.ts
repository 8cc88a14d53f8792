import { expect, test } from "bun:test";
import { nearest } from "../../src/calendar/nearest.ts";

const slot = (date: string, start_time: string, end_time: string) => ({ date, start_time, end_time });
const SLOTS = [
  slot("2026-12-01", "09:00", "12:00"),
  slot("2026-12-01", "15:00", "18:00"),
  slot("2026-12-03", "09:00", "12:00"),
  slot("2026-12-08", "17:30", "20:00"),
];
const wish = (changes: Partial<Parameters<typeof nearest>[1] & object>) => ({
  date: null,
  dateEnd: null,
  time: null,
  partOfDay: null,
  ...changes,
});
const order = (changes: Parameters<typeof wish>[0] | null) =>
  nearest(SLOTS, changes && wish(changes)).map((each) => SLOTS.indexOf(each));

test.each([
  ["nothing", null, [0, 1, 2, 3]],
  ["a day", { date: "2026-12-03" }, [2, 0, 1, 3]],
  ["a day between two: the later one", { date: "2026-12-02" }, [2, 0, 1, 3]],
  ["a range", { date: "2026-12-05", dateEnd: "2026-12-11" }, [3, 2, 0, 1]],
  ["a day and a time", { date: "2026-12-01", time: "16:00" }, [1, 0, 2, 3]],
  ["a time within a session", { time: "11:00" }, [0, 2, 1, 3]],
  ["a time or later", { time: "15:00", isAfter: true as const }, [1, 3]],
  ["a day, and a time or later", { date: "2026-12-03", time: "10:00", isAfter: true as const }, [1, 3]],
  ["later than anything", { time: "21:00", isAfter: true as const }, [3, 1, 0, 2]],
  ["a part of the day", { partOfDay: "evening" as const }, [3, 1, 0, 2]],
] as const)("who wishes for %s", (_, changes, expected) => {
  expect(order(changes)).toEqual([...expected]);
});

test("of two adjacent sessions, the one that starts at the given time comes first", () => {
  const halves = [slot("2026-12-03", "10:00", "10:30"), slot("2026-12-03", "10:30", "11:00")];
  expect(nearest(halves, wish({ date: "2026-12-03", time: "10:30" }))[0]).toEqual(halves[1]);
});
