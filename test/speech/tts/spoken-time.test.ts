import { describe, expect, test } from "bun:test";
import { spokenDate, spokenMoment, spokenTime } from "../../../src/speech/tts/spoken-time.ts";

describe("a time is said as a person says it:", () => {
  const cases = {
    "00:00": "midnight",
    "00:30": "twelve thirty at night",
    "07:00": "seven o'clock in the morning",
    "09:05": "nine oh five in the morning",
    "10:30": "ten thirty in the morning",
    "12:00": "twelve noon",
    "12:45": "twelve forty five in the afternoon",
    "16:59": "four fifty nine in the afternoon",
    "17:15": "five fifteen in the evening",
    "21:20": "nine twenty at night",
  };
  for (const [time, words] of Object.entries(cases)) test(time, () => expect(spokenTime(time)).toBe(words));
});

describe("a date is said with its weekday and ordinal:", () => {
  const cases = {
    "2026-05-05": "Tuesday, the fifth of May",
    "2026-01-01": "Thursday, the first of January",
    "2026-02-12": "Thursday, the twelfth of February",
    "2028-02-29": "Tuesday, the twenty ninth of February",
    "2026-06-20": "Saturday, the twentieth of June",
    "2026-08-31": "Monday, the thirty first of August",
    "2026-11-22": "Sunday, the twenty second of November",
    "2026-12-13": "Sunday, the thirteenth of December",
  };
  for (const [date, words] of Object.entries(cases)) test(date, () => expect(spokenDate(date)).toBe(words));
});

test("every minute of a day has words of its own, without a digit", () => {
  const minutes = Array.from({ length: 24 * 60 }, (_, at) =>
    spokenTime(`${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`),
  );
  expect(new Set(minutes).size).toBe(minutes.length);
  expect(minutes.filter((words) => !/^[a-z' ]+$/.test(words))).toEqual([]);
});

test("what is no date or time is said as it stands", () => {
  expect(spokenMoment({ date: "soon", startTime: "25:00" })).toBe("soon, at 25:00");
});
