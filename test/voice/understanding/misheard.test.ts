// Recogniser output for clear sentences on a bad line: what must still be understood, and what must not.
import { describe, expect, test } from "bun:test";
import type { Expecting, Intent } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const hear = (text: string, expecting: Expecting) => understand(text, { ...HEARING, expecting });

test.each<[Expecting, string, Intent, number]>([
  ["identity", "That me.", "yes", 0.8],
  ["identity", "Please not call me again.", "do_not_call", 0.7],
  ["identity", "Please do call me again.", "do_not_call", 0.6],
  ["yes_no", "Please be not calling me again.", "do_not_call", 0.7],
  ["yes_no", "I want to speak your version.", "person", 0.6],
  ["identity", "I think you have their own number.", "wrong_number", 0.6],
  ["identity", "You have the long number.", "wrong_number", 0.6],
  ["identity", "I am busy now. please call me the morrow at ten in the morning.", "call_later", 0.6],
  ["identity", "I am visiting now for you to follow me tomorrow at 10 in the morning.", "call_later", 0.6],
  [
    "anything",
    "Hi, the birds from you are calling to do the next dreaming service. Please stay your name and why you are calling.",
    "screening",
    0.9,
  ],
])("asked for %s, %p is %s", (expecting, text, intent, confidence) => {
  expect(hear(text, expecting).intents[0]).toMatchObject({ intent });
  expect(hear(text, expecting).intents[0]?.confidence).toBeGreaterThanOrEqual(confidence);
});

describe("and nothing is made of what is the contrary", () => {
  test.each<[Expecting, string, Intent]>([
    ["identity", "Please not call me again.", "call_later"],
    ["identity", "I do not want to talk to you.", "person"],
    ["yes_no", "I want to talk later.", "person"],
    ["identity", "Yes, this is me at ten.", "call_later"],
    ["identity", "And fifth two cashers.", "call_later"],
  ])("asked for %s, %p is no %s", (expecting, text, intent) => {
    expect(hear(text, expecting).intents.map((each) => each.intent)).not.toContain(intent);
  });
});

test("a word in passing chooses none of several offers", () => {
  const offers = [
    { date: "2026-11-19", startTime: "10:30" },
    { date: "2026-11-20", startTime: "16:00" },
  ];
  const choose = (text: string) =>
    understand(text, { ...HEARING, expecting: "choice", offers, lastOffered: offers[1] ?? null }).choice;
  expect(choose("Spreading it fuller.")).toBeNull();
  expect(choose("It's")).toBeNull();
  expect(choose("I will take it.")).toMatchObject({ index: 1 });
});

test.each([
  ["To-morrow at ten in the morning.", "2026-11-16", "10:00"],
  ["To-day at ten in the morning.", "2026-11-15", "10:00"],
  ["The 20 fifth of November.", "2026-11-25", null],
  ["When these are twenty fifths of November, please.", "2026-11-25", null],
])("%p is %s", (text, date, time) => {
  const { moment } = understand(text, {
    ...HEARING,
    today: "2026-11-15",
    nowTime: "09:00",
    offers: [],
    lastOffered: null,
    expecting: "day_or_time",
  });
  expect(moment).toMatchObject({ date, time, conflict: false });
});

test('"the morrow" is tomorrow', () => {
  const at = hear("Call me the morrow at ten in the morning.", "callback_time").moment;
  expect(at).toEqual(hear("Call me tomorrow at ten in the morning.", "callback_time").moment);
});

test("a yes that hangs on another person is not sure", () => {
  for (const text of ["Yes, this my son can drive me.", "Yes, my daughter can bring me."])
    expect(hear(text, "yes_no").intents[0]?.confidence ?? 0).toBeLessThan(0.8);
});
