// Where calls are simulated no page speaks of a real one: the same words stand on an appliance with and without lines.
import { expect, test } from "bun:test";
import { en } from "../../src/web/words/en.ts";
import { hi } from "../../src/web/words/hi.ts";
import { textsOf } from "../support/web-words.ts";

test.each([
  ["English", en, /\breal calls?\b/i],
  ["Hindi", hi, /(?:असली|वास्तविक|सचमुच की) कॉल/],
] as const)("no text in %s says that a call is real", (_, words, real) => {
  expect(textsOf(words).filter(({ text }) => real.test(text))).toEqual([]);
});

test("a test call says whether a telephone rings", () => {
  const { note, simulatedNote } = en.agents.testCall;
  expect([/rings/.test(note), simulatedNote.startsWith("No telephone rings")]).toEqual([true, true]);
});
