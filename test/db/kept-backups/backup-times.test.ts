// When a backup is due and when it is late. Times of day are those of this machine.
import { describe, expect, test } from "bun:test";
import { isBackupLate, nextBackupAt } from "../../../src/db/kept-backups/backup-times.ts";

const HOUR = 3_600_000;
const at = (text: string) => new Date(text).getTime();
const state = (madeAt: string | null, more: object = {}) => ({
  since: at("2026-03-01T10:00:00"),
  lastGood: madeAt === null ? null : { name: "", where: "", bytes: 1, madeAt: at(madeAt) },
  failures: 0,
  failedAt: null,
  ...more,
});
const next = (
  every: string,
  timeOfDay: string,
  madeAt: string | null,
  more: object = {},
  now = "2026-03-03T00:00:00",
) => nextBackupAt({ every, at: timeOfDay }, state(madeAt, more), at(now));

describe("the next backup", () => {
  test("is never due without an interval", () => {
    expect(next("", "", null)).toBe(Infinity);
  });
  test("is due at once where there is none, and after the interval otherwise", () => {
    expect(next("24h", "", null)).toBe(at("2026-03-01T10:00:00"));
    expect(next("6h", "", "2026-03-02T10:00:00")).toBe(at("2026-03-02T16:00:00"));
  });
  test("keeps to a time of day", () => {
    expect(next("24h", "02:30", null)).toBe(at("2026-03-02T02:30:00"));
    expect(next("24h", "02:30", "2026-03-02T02:30:20")).toBe(at("2026-03-03T02:30:00"));
    // One that came late does not move the next.
    expect(next("24h", "02:30", "2026-03-02T20:00:00")).toBe(at("2026-03-03T02:30:00"));
    expect(next("6h", "02:30", "2026-03-02T08:30:10")).toBe(at("2026-03-02T14:30:00"));
    expect(next("7d", "02:30", "2026-03-02T02:30:20")).toBe(at("2026-03-09T02:30:00"));
  });
  test("is tried again after a failure, with growing pauses of at most an hour", () => {
    const failed = (failures: number) =>
      next("24h", "", "2026-03-01T00:00:00", { failures, failedAt: at("2026-03-03T00:00:00") }) -
      at("2026-03-03T00:00:00");
    expect([1, 2, 3, 4, 40].map((failures) => failed(failures) / 60_000)).toEqual([5, 15, 45, 60, 60]);
  });
  test("does not wait for the past of a clock that was set back", () => {
    expect(next("24h", "", "2036-03-01T00:00:00")).toBe(at("2026-03-03T00:00:00"));
    const failedAt = at("2036-03-01T00:00:00");
    expect(next("24h", "", "2026-03-01T00:00:00", { failures: 1, failedAt })).toBe(at("2026-03-03T00:05:00"));
  });
});

test("a backup is late after one and a half intervals, from the last good one or from the first start", () => {
  const late = (madeAt: string | null, hours: number) =>
    isBackupLate({ every: "24h" }, state(madeAt), at("2026-03-01T10:00:00") + hours * HOUR);
  expect([late(null, 36), late(null, 37)]).toEqual([false, true]);
  expect([late("2026-03-02T10:00:00", 60), late("2026-03-02T10:00:00", 61)]).toEqual([false, true]);
  expect(isBackupLate({ every: "" }, state(null), Infinity)).toBeNull();
});

test("after a clock that was a week ahead, the backup of that week hides no late one", () => {
  const settings = { every: "24h", at: "" };
  const [madeAt, now] = ["2026-03-09T10:00:00", at("2026-03-02T10:00:00")];
  // It is due at once, and late until there is one of today.
  expect(nextBackupAt(settings, state(madeAt), now)).toBe(now);
  expect(isBackupLate(settings, state(madeAt), now)).toBe(true);
  expect(isBackupLate(settings, state("2026-03-02T10:00:00"), now)).toBe(false);
  // A clock that was set back by less, as NTP does.
  expect(isBackupLate(settings, state("2026-03-02T11:00:00"), now)).toBe(false);
});
