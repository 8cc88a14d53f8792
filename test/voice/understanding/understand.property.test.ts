// Understanding of random texts in random situations.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { addDays } from "../../../src/core/zones.ts";
import type { Hearing, Meaning } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";

const date = fc.integer({ min: 0, max: 4_000 }).map((days) => addDays("2026-01-01", days));
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
const offer = fc.record({ date, startTime: time });
const hearing: fc.Arbitrary<Hearing> = fc.record({
  expecting: fc.constantFrom("identity", "yes_no", "choice", "day_or_time", "callback_time", "anything"),
  offers: fc.array(offer, { maxLength: 5 }),
  today: date,
  nowTime: time,
  lastOffered: fc.option(offer),
  language: fc.constantFrom("en", "en-IN", "hi", "hi-IN", "ta", "x", ""),
});

/** Words of the rules, so that random text comes close to them. */
const WORDS =
  "yes no not the a at on in of to past after before day days week month next this last monday friday 21st 31st 10 30 10:30 10.30 21/11 99/99 half quarter ten eleven twenty first second one tomorrow today may march february morning evening am pm noon cancel call me back later until from between and or chest pain kal subah das baje haan nahi parso tarikh , . ? ! it is that".split(
    " ",
  );
const phrase = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((words) => words.join(" "));
const text = fc.oneof({ weight: 4, arbitrary: phrase }, fc.string(), fc.string({ unit: "binary", maxLength: 300 }));

const isDate = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && addDays(value, 0) === value;

function checkMeaning(meaning: Meaning, { offers, today }: Hearing): void {
  for (const { confidence } of meaning.intents) {
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
  expect(new Set(meaning.intents.map(({ intent }) => intent)).size).toBe(meaning.intents.length);
  if (meaning.choice) expect(offers[meaning.choice.index]).toBeDefined();
  if (!meaning.moment) return;
  const { date, dateEnd, time, partOfDay, conflict } = meaning.moment;
  expect(date !== null || time !== null || partOfDay !== null || conflict).toBe(true);
  if (time !== null) expect(time).toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
  if (dateEnd !== null) expect(date !== null && isDate(dateEnd) && dateEnd > date).toBe(true);
  if (date === null) return;
  expect(isDate(date)).toBe(true);
  expect(date >= today && date <= addDays(today, 365)).toBe(true);
}

test("every meaning is well formed", () => {
  fc.assert(
    fc.property(text, hearing, (said, situation) => checkMeaning(understand(said, situation), situation)),
    { numRuns: 500 },
  );
});

test("understanding is deterministic and does not modify its input", () => {
  fc.assert(
    fc.property(text, hearing, (said, situation) => {
      const before = structuredClone(situation);
      const first = understand(said, situation);
      expect(understand(said, situation)).toEqual(first);
      expect(situation).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test("text after the first minute has no effect, so the work is bounded", () => {
  const situation: Hearing = {
    expecting: "day_or_time",
    offers: [{ date: "2026-11-19", startTime: "10:30" }],
    today: "2026-11-15",
    nowTime: "09:00",
    lastOffered: null,
    language: "en-IN",
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 400, maxLength: 400 }), (words) => {
      const long = words.join(" ").padEnd(1_001, " x");
      const { text: _, ...whole } = understand(long.repeat(10).slice(0, 10_000), situation);
      const { text: __, ...start } = understand(long.repeat(10).slice(0, 1_000), situation);
      expect(whole).toEqual(start);
    }),
    { numRuns: 20 },
  );
});
