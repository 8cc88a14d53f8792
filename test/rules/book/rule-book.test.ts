// The rule books inside the executable, and what they resolve to.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AREA_CODES, US_STATES } from "../../../src/core/area-codes.ts";
import { CANADIAN_AREA_CODES } from "../../../src/core/other-area-codes.ts";
import { weekdayOf } from "../../../src/core/zones.ts";
import { PURPOSES, strictestMode, type Purpose } from "../../../src/payloads/lawful.ts";
import type { CallRules, RuleQuestion } from "../../../src/rules/call-rules.ts";
import { ruleBook } from "../../../src/rules/book/embedded-books.ts";
import type { BookRule } from "../../../src/rules/book/book-file.ts";
import { NO_CHANGES, type OrganisationChanges } from "../../../src/rules/book/rule-book.ts";
import { isAsStrict, type RuleValue } from "../../../src/rules/book/rule-values.ts";

const book = ruleBook();
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const fiveYears = (weekday: number, from: string, to: string) =>
  [2026, 2027, 2028, 2029, 2030].map((year): [number, string, string] => [weekday, `${year}-${from}`, `${year}-${to}`]);
const asked = (number: string, purpose: Purpose = "service", hasConsent = false, region: string | null = null) =>
  book.resolve({ number, region, purpose, hasConsent });

describe("India", () => {
  test("a service call: nine to twenty, three a day, no consent, recording announced", () => {
    expect(asked("+919810012345")).toEqual({
      version: "in-2026.11",
      country: "IN",
      region: null,
      hours: { start: "09:00", end: "20:00", days: EVERY_DAY },
      daysOff: [],
      perDay: 3,
      perWeek: null,
      needsConsent: false,
      callerIdPrefix: null,
      recording: "announce",
    });
  });

  test("a promotional call: from ten on, with consent, from the 140 series", () => {
    expect(asked("+919810012345", "promotional")).toMatchObject({
      hours: { start: "10:00", end: "20:00" },
      needsConsent: true,
      callerIdPrefix: "+91140",
    });
  });

  test("a state given with the call means nothing", () => {
    expect(asked("+919810012345", "service", false, "CA")).toMatchObject({ region: null, recording: "announce" });
  });
});

describe("the United States", () => {
  test("without consent one call a day and three a week, with consent three a day", () => {
    expect(asked("+12125550100")).toMatchObject({ region: "NY", perDay: 1, perWeek: 3, needsConsent: false });
    expect(asked("+12125550100", "service", true)).toMatchObject({ perDay: 3, perWeek: null });
    expect(asked("+12125550100", "promotional", true)).toMatchObject({ needsConsent: true });
  });

  test.each(["FL", "MD", "ME", "OK"])(
    "a promotional call to %s: one a day, so no more than three in 24 hours",
    (region) => {
      expect(asked("+18005550100", "promotional", true, region).perDay).toBe(1);
      expect(asked("+18005550100", "service", true, region).perDay).toBe(3);
    },
  );

  test("recording is asked for in the thirteen states in which everyone must agree, and announced elsewhere", () => {
    const asking = US_STATES.filter((region) => asked("+18005550100", "service", false, region).recording === "ask");
    expect(asking).toEqual(["CA", "CT", "DE", "FL", "IL", "MA", "MD", "MI", "MT", "NH", "NV", "PA", "WA"]);
  });

  test("a promotional call follows the hours of the state", () => {
    expect(asked("+13055550100", "promotional").hours).toEqual({ start: "09:00", end: "20:00", days: EVERY_DAY });
    expect(asked("+12055550100", "promotional").hours.days).toEqual([1, 2, 3, 4, 5, 6]);
    expect(asked("+15025550100", "promotional").hours.start).toBe("10:00");
    expect(asked("+12055550100", "promotional").daysOff).toContain("12-25");
    expect(asked("+12055550100", "service").hours.days).toEqual(EVERY_DAY);
    expect(asked("+12055550100", "service").daysOff).toEqual([]);
  });

  test("the state given with the call counts more than the area code", () => {
    expect(asked("+12125550100", "service", false, "CA")).toMatchObject({ region: "CA", recording: "ask" });
    expect(asked("+14155550100", "service", false, "ny")).toMatchObject({ region: "NY", recording: "announce" });
  });

  test.each([
    ["+18005550100", null],
    ["+14165550100", "Canada"],
    ["+18765550100", null],
  ])("%s has no state and gets the strictest of every state; its region is %p", (number, region) => {
    for (const purpose of PURPOSES) {
      const unknown = asked(number, purpose);
      expect(unknown.region).toBe(region);
      for (const state of US_STATES) expect(isNoMoreLenient(unknown, asked(number, purpose, false, state))).toBe(true);
    }
    expect(asked("+12125550100", "service", false, "ZZ").recording).toBe("ask");
  });

  test("a Canadian number keeps Canadian hours, with every purpose; a state given with the call replaces them", () => {
    for (const code of CANADIAN_AREA_CODES)
      expect(asked(`+1${code}5550100`)).toMatchObject({ region: "Canada", hours: { start: "10:00", end: "18:00" } });
    expect(asked("+14165550100", "promotional", true).hours).toMatchObject({ start: "10:00", end: "17:00" });
    expect(asked("+14165550100", "service", false, "NY")).toMatchObject({ region: "NY", hours: { end: "20:00" } });
    expect(asked("+18005550100").hours).toMatchObject({ start: "09:00", end: "20:00" });
  });

  test("the strictest state decides for a promotional call without a known state: ten to five, Monday to Friday", () => {
    expect(asked("+18005550100", "promotional").hours).toEqual({ start: "10:00", end: "17:00", days: [1, 2, 3, 4, 5] });
  });

  test("the movable holidays of the states are listed for five years, each on its weekday", () => {
    const { daysOff } = asked("+12055550100", "promotional");
    const [monday, tuesday, thursday, friday] = [1, 2, 4, 5];
    const movable: [number, string, string][] = [
      // Martin Luther King and Presidents, carnival, Good Friday, Memorial, Labor, Columbus, election, Thanksgiving.
      ...fiveYears(monday, "01-15", "01-21"),
      ...fiveYears(monday, "02-15", "02-21"),
      ...fiveYears(tuesday, "02-03", "03-09"),
      ...fiveYears(friday, "03-20", "04-23"),
      ...fiveYears(monday, "05-25", "05-31"),
      ...fiveYears(monday, "09-01", "09-07"),
      ...fiveYears(monday, "10-08", "10-14"),
      ...fiveYears(tuesday, "11-02", "11-08"),
      ...fiveYears(thursday, "11-22", "11-28"),
    ];
    for (const [weekday, from, to] of movable) {
      const found = daysOff.filter((day) => day.length === 10 && day >= from && day <= to);
      expect([from, found.filter((day) => weekdayOf(day) === weekday).length]).toEqual([from, 1]);
    }
    for (const fixed of ["01-01", "06-14", "06-19", "07-04", "07-24", "11-11", "12-25"])
      expect(daysOff).toContain(fixed);
  });
});

test.each(["+442071838750", "+8613800138000"])("%s: a country without a book has no rules", (number) => {
  expect(() => asked(number)).toThrow("There are no rules for this country.");
});

test("each rule names its source, and each book says that it is not legal advice", () => {
  for (const { rules, disclaimer, calling_code } of book.books) {
    expect(disclaimer).toContain("not legal advice");
    for (const purpose of PURPOSES) {
      for (const hasConsent of [true, false]) {
        const number = `${calling_code}5555550100`;
        const settings = book.applied({ number, region: null, purpose, hasConsent }).map(({ rule }) => rule.setting);
        expect(settings).toEqual(
          expect.arrayContaining(["hours", "days_off", "per_day", "per_week", "consent", "recording", "notices"]),
        );
      }
    }
    for (const { source } of rules) expect(source.length).toBeGreaterThan(10);
  }
});

const questions: fc.Arbitrary<RuleQuestion> = fc.record({
  number: fc.oneof(
    fc.constant("+919810012345"),
    fc.constantFrom(...AREA_CODES, "800", "416", "555").map((code) => `+1${code}5550100`),
  ),
  region: fc.option(fc.constantFrom(...US_STATES, "ZZ")),
  purpose: fc.constantFrom(...PURPOSES),
  hasConsent: fc.boolean(),
});

const clockTime = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const values: Record<string, fc.Arbitrary<RuleValue>> = {
  hours: fc
    .tuple(
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 701, max: 1439 }),
      fc.subarray(EVERY_DAY, { minLength: 1 }),
    )
    .map(([start, end, days]) => ({ start: clockTime(start), end: clockTime(end), days })),
  days_off: fc.subarray(["01-01", "01-26", "2026-11-26", "12-25"]),
  per_day: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant("unlimited" as const)),
  per_week: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant("unlimited" as const)),
  consent: fc.constantFrom("needed", "not_needed"),
  caller_id: fc.constantFrom("any", "+91140", "+9114012"),
  recording: fc.constantFrom("announce", "ask", "off"),
};
const changeable = book.books.flatMap(({ rules }) => rules).filter(({ setting }) => setting !== "notices");
const isLooser = ({ setting, value: inBook }: BookRule, value: RuleValue) =>
  !isAsStrict(setting as "hours", value as never, inBook as never);
const changesOf = (isWanted: (rule: BookRule, value: RuleValue) => boolean) =>
  fc
    .array(
      fc
        .constantFrom(...changeable)
        .chain((rule) => (values[rule.setting] ?? fc.constant("any")).map((value) => ({ rule, value }))),
      { maxLength: 12 },
    )
    .map((changes): OrganisationChanges => ({
      revision: changes.length,
      values: new Map(
        changes
          .filter(({ rule, value }) => isWanted(rule, value))
          .map(({ rule, value }) => [rule.id, { value, isLooser: isLooser(rule, value) }]),
      ),
    }));

/** Independent of the code under test: each field compared by hand. */
function isNoMoreLenient(one: CallRules, other: CallRules): boolean {
  const most = (limit: number | null) => limit ?? Infinity;
  const isNever = one.hours.days.length === 0;
  return (
    (isNever || (one.hours.start >= other.hours.start && one.hours.end <= other.hours.end)) &&
    one.hours.days.every((day) => other.hours.days.includes(day)) &&
    other.daysOff.every((day) => one.daysOff.includes(day)) &&
    most(one.perDay) <= most(other.perDay) &&
    most(one.perWeek) <= most(other.perWeek) &&
    (one.needsConsent || !other.needsConsent) &&
    (one.callerIdPrefix ?? "").startsWith(other.callerIdPrefix ?? "") &&
    strictestMode([one.recording, other.recording]) === one.recording
  );
}

test("tightened rules are never more lenient than the book", () => {
  const tightening = changesOf((rule, value) => !isLooser(rule, value));
  fc.assert(
    fc.property(questions, tightening, (question, changes) =>
      isNoMoreLenient(book.resolve(question, changes), book.resolve(question, NO_CHANGES)),
    ),
    { numRuns: 2000 },
  );
});

test("rules are more lenient than the book only where a looser value of a rule that applies is recorded", () => {
  fc.assert(
    fc.property(
      questions,
      changesOf(() => true),
      (question, changes) => {
        const applied = book.applied(question, changes);
        const hasLooser = applied.some(({ rule, value }) => isLooser(rule, value));
        return hasLooser || isNoMoreLenient(book.resolve(question, changes), book.resolve(question, NO_CHANGES));
      },
    ),
    { numRuns: 2000 },
  );
});

test("a looser rule of the country leaves the stricter rule of a state in force", () => {
  const changes = {
    revision: 1,
    values: new Map([["us-hours", { value: { start: "07:00", end: "22:00", days: EVERY_DAY }, isLooser: true }]]),
  };
  const question = { number: "+13055550100", region: null, purpose: "promotional", hasConsent: true } as const;
  expect(book.resolve(question, changes)).toMatchObject({
    version: "us-2026.11+1",
    hours: { start: "08:00", end: "20:00" },
  });
});

test("hours that never overlap have no days", () => {
  const changes = {
    revision: 1,
    values: new Map([["in-hours", { value: { start: "21:30", end: "22:00", days: [1] }, isLooser: true }]]),
  };
  const question = { number: "+919810012345", region: null, purpose: "promotional", hasConsent: true } as const;
  expect(book.resolve(question, changes).hours.days).toEqual([]);
});

test("a change that was stricter when it was made does not loosen a book that became stricter", () => {
  const changes = {
    revision: 1,
    values: new Map([["in-hours", { value: { start: "08:00", end: "19:00", days: EVERY_DAY }, isLooser: false }]]),
  };
  const question = { number: "+919810012345", region: null, purpose: "service", hasConsent: false } as const;
  expect(book.resolve(question, changes).hours).toMatchObject({ start: "09:00", end: "19:00" });
});
