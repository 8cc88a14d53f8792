// From words to what they mean.
import { expect, test } from "bun:test";
import type { Hearing } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";

const HEARING: Hearing = {
  expecting: "yes_no",
  offers: [],
  today: "2026-11-15",
  nowTime: "09:00",
  lastOffered: null,
  language: "en-IN",
};

test.each([
  ["Yes.", "yes"],
  ["yeah", "yes"],
  ["No.", "no"],
  ["nope", "no"],
])("%p means %s", (text, intent) => {
  expect(understand(text, HEARING).intents[0]?.intent).toBe(intent as "yes" | "no");
});

test("what means nothing has no intents, no choice and no moment", () => {
  expect(understand("purple elephants", HEARING)).toEqual({
    text: "purple elephants",
    intents: [],
    choice: null,
    moment: null,
  });
});
