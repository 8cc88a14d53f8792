// A Hindi call by keypad: every line of it is Hindi, and it says the same as the English one.
import { expect, test } from "bun:test";
import { english } from "../../../src/voice/keypad/lines/en.ts";
import { hindi } from "../../../src/voice/keypad/lines/hi.ts";
import { keypadWordsIn } from "../../../src/voice/keypad/lines/languages.ts";
import type { KeypadWords, SpokenLine } from "../../../src/voice/keypad/words.ts";
import { APPOINTMENT, OFFERS, setStage } from "./stage.ts";

const slot = OFFERS[0] ?? { date: "", startTime: "" };

function linesOf(words: KeypadWords): SpokenLine[] {
  const choices = [true, false].flatMap((hasAppointment) =>
    [true, false].map((canBook) => ({ hasAppointment, canBook, canTransfer: true, isOutbound: true })),
  );
  return [
    words.greeting({ greeting: "", agentName: "सिटी अस्पताल" }),
    words.appointment(APPOINTMENT),
    ...choices.map((each) => words.menu(each)),
    words.offer("1", slot),
    words.rescheduled(slot),
    words.booked(slot),
    words.message({ agentName: "सिटी अस्पताल" }),
    ...Object.values(words).filter((each): each is SpokenLine => typeof each !== "function"),
  ];
}

test("every line is in Devanagari, without a figure that would be read in another language", () => {
  for (const { text } of linesOf(hindi)) expect(text).toMatch(/^[\u0900-\u097F\s,?!]+$/);
});

test("both languages have the same lines, with the same recordings in their place", () => {
  const kinds = (words: KeypadWords) => linesOf(words).map(({ name, recorded }) => ({ name, recorded }));
  expect(kinds(hindi)).toEqual(kinds(english));
});

test.each([
  ["hi", hindi],
  ["hi-IN", hindi],
  ["Hindi", hindi],
  ["हिन्दी", hindi],
  ["en-IN", english],
  ["ta", english],
  ["hill", english],
])("an agent whose language is %s has its words", (language, words) => {
  expect(keypadWordsIn(language)).toBe(words);
});

test("a Hindi call says its appointment and confirms it in Hindi", async () => {
  const stage = setStage({ brief: { language: "hi-IN", greeting: "" } });
  await stage.answer();
  await stage.clock.advance(8_500);
  expect(stage.happened).toContain(`play ${hindi.appointment(APPOINTMENT).text}`);
  await stage.press("1");
  expect(stage.happened).toContain("desk: confirm");
  expect(stage.happened).toContain(`play ${hindi.confirmed.text}`);
});
