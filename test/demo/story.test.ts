// The demo's invented people and their two weeks: pure, so that a test can look at every day.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { costlyKind } from "../../src/core/costly-numbers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { isInventedNumber } from "../../src/core/invented-number.ts";
import { assertDiallable } from "../../src/core/phone.ts";
import { wallTime } from "../../src/core/zones.ts";
import { demoLife } from "../../src/demo/life.ts";
import { createPastClock } from "../../src/demo/past-clock.ts";
import { PEOPLE_COUNT, friendlyPersonAt, personAt } from "../../src/demo/people.ts";
import { verdictOf } from "../../src/demo/receiver.ts";
import type { DemoStaff } from "../../src/demo/staff.ts";
import { actsOf, beginningOf, daysLeft, HISTORY_DAYS, listBegins } from "../../src/demo/story.ts";
import { contractSignature } from "../../src/events/signing.ts";
import { courseFor } from "../../src/telephony/simulator/test-numbers.ts";
import { CALLEES } from "../../src/telephony/simulator/callee.ts";

const ZONE = "Asia/Kolkata";
const NOW = Date.parse("2026-11-16T02:30:00Z");

describe("the people", () => {
  const people = Array.from({ length: PEOPLE_COUNT }, (_, i) => personAt(i));

  test("have unassignable numbers that the simulator accepts, one each", () => {
    for (const { number } of people) {
      expect(isInventedNumber(number)).toBe(true);
      expect(costlyKind(number, [])).toBeNull();
      assertDiallable(number, "user_number");
    }
    expect(new Set(people.map(({ number }) => number)).size).toBe(PEOPLE_COUNT);
    expect(new Set(people.map(({ name }) => name)).size).toBe(PEOPLE_COUNT);
  });

  test("never ask for a callback, which would go on for ever, and are otherwise of every kind", () => {
    const courses = people.map(({ number }) => courseFor(number));
    expect(courses.filter((course) => course.kind === "talks" && course.callee === CALLEES.busyNow)).toEqual([]);
    expect(new Set(courses).size).toBeGreaterThanOrEqual(9);
    expect(courseFor(friendlyPersonAt(18).number)).toMatchObject({ kind: "talks", callee: CALLEES.agreeable });
  });
});

describe("the days", () => {
  test("are two whole weeks and what there is of today, each following the one before", () => {
    const beginsAt = beginningOf(NOW, ZONE);
    const days = daysLeft(beginsAt, beginsAt, NOW, ZONE);
    expect(days).toHaveLength(HISTORY_DAYS + 1);
    expect(days[0]!.from).toBe(beginsAt);
    expect(days.at(-1)!.until).toBe(NOW);
    for (const [i, day] of days.slice(1).entries()) expect(day.from).toBe(days[i]!.until);
  });

  test("a run that stopped after some of them continues with the next, at any hour and after any pause", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: NOW, max: NOW + 400 * DAY_MS }),
        fc.nat({ max: HISTORY_DAYS }),
        fc.nat({ max: 40 * HOUR_MS }),
        (now, made, laterMs) => {
          const beginsAt = beginningOf(now, ZONE);
          const all = daysLeft(beginsAt, beginsAt, now, ZONE);
          const done = all.slice(0, Math.min(made, all.length - 1));
          const rest = daysLeft(beginsAt, done.at(-1)?.until ?? beginsAt, now + laterMs, ZONE);
          expect([...done.slice(-1), ...rest].every(({ from, until }) => from < until)).toBe(true);
          const numbers = [...done, ...rest].map(({ day }) => day);
          expect(numbers).toEqual(numbers.map((_, i) => i));
        },
      ),
    );
  });
});

test("on whichever day and at whichever hour the demo is started, it has one list that is over and one under way", () => {
  const nobody = {} as DemoStaff;
  for (let hour = 0; hour < 7 * 24; hour++) {
    const now = NOW + hour * HOUR_MS;
    const beginsAt = beginningOf(now, ZONE);
    const days = daysLeft(beginsAt, beginsAt, now, ZONE);
    const lists = days.flatMap((day, i) =>
      actsOf(day, i === days.length - 1, nobody, ZONE)
        .filter(({ makes }) => makes === "lists")
        .map(({ at }) => now - at < DAY_MS),
    );
    expect(lists).toEqual([false, true]);
  }
});

test("its list is called by day, at whichever hour the demo is started", () => {
  const hourAt = (at: number) => wallTime(at, ZONE).minuteOfDay / 60;
  for (let hour = 0; hour < 48; hour += 0.25) {
    const made = NOW + hour * HOUR_MS;
    const begins = listBegins(made, ZONE);
    expect(begins).toBeGreaterThanOrEqual(made);
    expect(begins - made).toBeLessThan(14 * HOUR_MS);
    expect(hourAt(begins)).toBeGreaterThanOrEqual(9);
    expect(hourAt(begins + 50 * MINUTE_MS)).toBeLessThan(20);
  }
});

test("at night nothing happens in the demo, and no call is placed", async () => {
  const done: string[] = [];
  const note = (name: string) => async () => void done.push(name);
  const staff = {
    timeZone: ZONE,
    refillCredits: note("credits"),
    call: note("call"),
    book: note("book"),
    isAnybodyWaiting: async () => true,
    isTimeForCampaign: async () => true,
    startCampaign: note("campaign"),
    settleUntil: note("settle"),
    tickOff: note("tick"),
    today: "2026-11-16",
    aDayAgo: 0,
  } as unknown as DemoStaff;
  const at = (time: string) => Date.parse(`2026-11-16T${time}:00+05:30`);
  const { run } = demoLife(staff);
  for (const time of ["00:30", "08:30", "20:00", "23:30"]) await run(at(time));
  expect(done).toEqual([]);
  await run(at("19:30"));
  expect(done).toContain("call");
  expect(done).not.toContain("campaign");
  await run(at("10:30"));
  expect(done).toContain("campaign");
});

test("the clock of the past fires timers in their order, at their time, and cancelled ones never", () => {
  const clock = createPastClock(1_000);
  const fired: [name: string, at: number][] = [];
  const set = (name: string, delayMs: number) => clock.after(delayMs, () => void fired.push([name, clock.now()]));
  set("second", 20);
  set("first", 10);
  set("first, set later", 10);
  set("never", 15)();
  while (clock.nextTimerAt() < Infinity) {
    clock.moveTo(clock.nextTimerAt());
    while (clock.fireOne());
  }
  expect(fired).toEqual([
    ["first", 1_010],
    ["first, set later", 1_010],
    ["second", 1_020],
  ]);
  expect(clock.fireOne()).toBe(false);
  clock.moveTo(5);
  expect(clock.now()).toBe(1_020);
});

test("the receiver believes a signature that is right and new, and nothing else", () => {
  const body = new TextEncoder().encode("{}");
  const timestamp = String(NOW / 1_000);
  const signed = (secret: string) => ({
    "x-webhook-timestamp": timestamp,
    "x-webhook-signature": contractSignature(secret, timestamp, body),
  });
  expect(verdictOf(signed("whsec_YQ=="), body, ["whsec_Yg==", "whsec_YQ=="], NOW)).toBe("verified");
  expect(verdictOf(signed("whsec_YQ=="), body, ["whsec_Yg=="], NOW)).toBe("wrong_signature");
  expect(verdictOf(signed("whsec_YQ=="), new TextEncoder().encode("{ }"), ["whsec_YQ=="], NOW)).toBe("wrong_signature");
  expect(verdictOf(signed("whsec_YQ=="), body, ["whsec_YQ=="], NOW + 6 * MINUTE_MS)).toBe("too_old");
  expect(verdictOf({}, body, ["whsec_YQ=="], NOW)).toBe("unsigned");
});
