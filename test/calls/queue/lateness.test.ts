// Lateness of calls: which waits count, and from when.
import { describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { blockedSince, isOverdue, isOverdueAfter, latestMs } from "../../../src/calls/queue/lateness.ts";
import { HOLD_REASONS } from "../../../src/calls/queue/policy.ts";
import { Turns } from "../../../src/calls/queue/turns.ts";

const NOW = Date.parse("2026-11-16T06:00:00Z");
const HOUR = HOUR_MS;
const call = (change: { blocked_since?: number | null; next_at?: number } = {}) => ({
  blocked_since: null,
  next_at: NOW,
  contact_number: "+919810012345",
  contact_time_zone: null,
  contact_region: null,
  ...change,
});

test("an agent's own limit takes precedence over the settings", () => {
  expect(latestMs({ latest_minutes: null }, 60)).toBe(HOUR);
  expect(latestMs({ latest_minutes: 5 }, 60)).toBe(5 * MINUTE_MS);
});

describe("while the appliance runs", () => {
  test("only time outside the queue counts, from the first due time on; closed hours do not restart it", () => {
    const counted = HOLD_REASONS.filter((reason) => blockedSince(call(), reason, NOW) !== null);
    expect(counted).toEqual([
      "agent_has_no_number",
      "number_has_no_trunk",
      "trunk_unavailable",
      "clock_not_trusted",
      "question_unanswered",
    ]);
    const before = call({ blocked_since: NOW - 5 });
    expect(blockedSince(before, "trunk_unavailable", NOW)).toBe(NOW - 5);
    expect(blockedSince(before, "outside_calling_hours", NOW)).toBe(NOW - 5);
    expect(blockedSince(before, "number_lines_busy", NOW)).toBeNull();
  });

  test("a call is overdue after more than the limit, and waiting for a line afterwards adds nothing", () => {
    expect(isOverdue(call(), HOUR)).toBe(false);
    expect(isOverdue(call({ blocked_since: NOW - HOUR }), HOUR)).toBe(false);
    expect(isOverdue(call({ blocked_since: NOW - HOUR - 1 }), HOUR)).toBe(true);
  });
});

describe("after downtime", () => {
  const absence = { since: NOW - 10 * HOUR, now: NOW };
  /** 9:00 to 20:00 in India is 3:30 to 14:30 UTC. */
  const hours = { start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] };

  test("a call due long before its end is overdue, and one due shortly before is not", () => {
    expect(isOverdueAfter(absence, call({ next_at: NOW - 2 * HOUR }), null, HOUR)).toBe(true);
    expect(isOverdueAfter(absence, call({ next_at: NOW - HOUR }), null, HOUR)).toBe(false);
  });

  test("a call that waited for a line before is late by the downtime only", () => {
    const waiting = call({ next_at: NOW - 30 * HOUR });
    expect(isOverdueAfter({ since: NOW - HOUR / 2, now: NOW }, waiting, null, HOUR)).toBe(false);
    expect(isOverdueAfter({ since: NOW - 2 * HOUR, now: NOW }, waiting, null, HOUR)).toBe(true);
  });

  test("closed hours do not count: lateness starts when the call could first be dialled", () => {
    const atNight = call({ next_at: NOW - 6 * HOUR });
    expect(isOverdueAfter(absence, atNight, hours, 3 * HOUR)).toBe(false);
    expect(isOverdueAfter(absence, atNight, hours, 2 * HOUR)).toBe(true);
    expect(isOverdueAfter(absence, atNight, { ...hours, days: [] }, HOUR)).toBe(false);
  });

  test("a call that was held before continues to be late", () => {
    const heldUp = call({ blocked_since: NOW - 13 * HOUR, next_at: NOW - HOUR });
    expect(isOverdueAfter({ since: NOW - 3 * MINUTE_MS, now: NOW }, heldUp, hours, HOUR)).toBe(true);
  });
});

describe("released calls", () => {
  /** Wait times of successive calls at one moment; a call is dialled when its wait is zero. */
  function waits(turns: Turns, now: number, count: number, organisationId = "a"): number[] {
    const round = turns.begin(now);
    const waited = Array.from({ length: count }, () => {
      const at = round.turnAt(organisationId);
      if (at === now) round.take(organisationId);
      return at - now;
    });
    round.keep();
    return waited;
  }

  test("are dialled one after the other, each in its own time slot, and each organisation has its own rate", () => {
    const turns = new Turns(10);
    expect(waits(turns, NOW, 4)).toEqual([0, 6_000, 12_000, 18_000]);
    expect(waits(turns, NOW, 1)).toEqual([24_000]);
    expect(waits(turns, NOW, 1, "b")).toEqual([0]);
    expect(waits(turns, NOW + 6_000, 1)).toEqual([0]);
  });

  test("do not catch up on missed time slots", () => {
    const gone = waits(new Turns(10), NOW + HOUR, 364).filter((wait) => wait === 0);
    expect(gone).toHaveLength(1);
  });

  test("keep their time slots when a round is rolled back and retried", () => {
    const turns = new Turns(10);
    turns.begin(NOW).take("a");
    expect(waits(turns, NOW, 2)).toEqual([0, 6_000]);
  });

  test("do not wait for a clock that was set back", () => {
    const turns = new Turns(10);
    waits(turns, NOW, 100);
    expect(waits(turns, NOW - HOUR, 2)).toEqual([0, 6_000]);
  });
});
