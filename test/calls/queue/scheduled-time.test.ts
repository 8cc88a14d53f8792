import { describe, expect, test } from "bun:test";
import { parseScheduledTime } from "../../../src/calls/queue/scheduled-time.ts";
import { DAY_MS, toIso } from "../../../src/core/clock.ts";
import type { AppError } from "../../../src/core/errors.ts";

const NOW = Date.parse("2026-11-15T06:00:00Z");
const parse = (text: string, now = NOW) => toIso(parseScheduledTime(text, now, 365));

function refusal(text: string, now = NOW): AppError {
  try {
    parseScheduledTime(text, now, 365);
  } catch (error) {
    return error as AppError;
  }
  throw new Error(`${text} should have been refused.`);
}

describe("a time is accepted", () => {
  test.each([
    ["2026-11-20T09:30:00Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30:00.5Z", "2026-11-20T09:30:00.500Z"],
    ["2026-11-20T09:30:00.123456789Z", "2026-11-20T09:30:00.123Z"],
    ["2026-11-20T09:30:00+05:30", "2026-11-20T04:00:00.000Z"],
    ["2026-11-20T09:30:00-08:00", "2026-11-20T17:30:00.000Z"],
    ["2026-11-20T00:15:00+05:45", "2026-11-19T18:30:00.000Z"],
    ["2026-11-20T09:30:00-00:00", "2026-11-20T09:30:00.000Z"],
    ["2026-12-31T23:59:59-12:00", "2027-01-01T11:59:59.000Z"],
    ["2026-11-15T20:00:00.001+14:00", "2026-11-15T06:00:00.001Z"],
  ])("%s means %s", (text, instant) => {
    expect(parse(text)).toBe(instant);
  });

  test("29 February in a leap year", () => {
    expect(parse("2028-02-29T08:00:00Z", Date.parse("2028-01-01T00:00:00Z"))).toBe("2028-02-29T08:00:00.000Z");
  });

  test("up to 365 days ahead, to the millisecond", () => {
    expect(parse(toIso(NOW + 365 * DAY_MS))).toBe(toIso(NOW + 365 * DAY_MS));
    expect(refusal(toIso(NOW + 365 * DAY_MS + 1)).message).toContain("365 days");
  });

  test("from the next millisecond on", () => {
    expect(parse(toIso(NOW + 1))).toBe(toIso(NOW + 1));
    expect(refusal(toIso(NOW)).message).toContain("future");
  });
});

describe("a time is rejected", () => {
  test.each([
    ["2026-11-20T09:30:00", "Z or carry an offset"],
    ["2026-11-20T09:30", "Z or carry an offset"],
    ["2027-02-29T08:00:00Z", "not a date"],
    ["2027-02-30T08:00:00Z", "not a date"],
    ["2026-11-31T08:00:00Z", "not a date"],
    ["2026-13-01T08:00:00Z", "not a date"],
    ["2026-12-00T08:00:00Z", "not a date"],
    ["2026-11-20T24:00:00Z", "not a date"],
    ["2026-11-20T08:60:00Z", "not a date"],
    ["2026-11-20T08:00:60Z", "not a date"],
    ["2026-11-20T08:00:00+15:00", "not a date"],
    ["2026-11-20T08:00:00+14:01", "not a date"],
    ["2026-11-20T08:00:00+05:60", "not a date"],
    ["2026-11-14T08:00:00Z", "future"],
    ["2026-11-15T11:29:59+05:30", "future"],
    ["2026-11-20", "ISO 8601"],
    ["2026-11-20 09:30:00Z", "ISO 8601"],
    ["2026-11-20T09:30:00z", "ISO 8601"],
    ["2026-11-20T09:30:00+0530", "ISO 8601"],
    ["2026-11-20T09:30:00 +05:30", "ISO 8601"],
    ["20261120T093000Z", "ISO 8601"],
    ["+002026-11-20T09:30:00Z", "ISO 8601"],
    ["2026-11-20T09:30:00Z\n", "ISO 8601"],
    ["Fri, 20 Nov 2026 09:30:00 GMT", "ISO 8601"],
    ["1795167000", "ISO 8601"],
    ["tomorrow", "ISO 8601"],
    ["", "ISO 8601"],
  ])("%j", (text, words) => {
    const { code, message, details } = refusal(text);
    expect(code).toBe("VALIDATION_ERROR");
    expect(message).toContain(words);
    expect(details).toEqual([{ field: "scheduled_time", message }]);
  });
});
