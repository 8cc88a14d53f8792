import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clausesOf } from "../../../src/speech/tts/clauses.ts";

describe("a text is spoken in pieces:", () => {
  const cases: [what: string, clauses: string[]][] = [
    [
      "a first clause that is soon made, then sentences",
      ["Hello, this is City Hospital,", "calling for Asha Rao.", "You have an appointment."],
    ],
    ["short sentences together", ["Yes. I have booked that for you.", "Goodbye."]],
    ["a first clause of twelve letters at least", ["Yes, of course,", "I can do that for you."]],
    [
      "no break inside a title, an initial or an amount",
      ["Dr. A. Rao and Mrs. Iyer ask for Rs. 500 today.", "Please bring it."],
    ],
    [
      "no break inside a time, a decimal or a half of the day",
      ["Take 2.5 mg at 10:30 a.m. on Friday the 21st.", "That is all for now."],
    ],
    ["a date stays with its day", ["Your visit is on Friday, 21 November at noon.", "Please come early."]],
    [
      "a number stays with its sign, and no is an answer",
      ["The clinic is in room No. 12 of the house.", "Please say yes or no.", "Thank you."],
    ],
  ];
  for (const [what, clauses] of cases) test(what, () => expect(clausesOf(clauses.join(" "))).toEqual(clauses));
});

test("a long sentence is cut at its last comma that fits", () => {
  const head = `${"word ".repeat(30)}and then,`;
  const tail = "there is still a good deal more to be said about it.";
  expect(clausesOf(`${head} ${tail}`)).toEqual([head, tail]);
});

test("what is blank has no pieces", () => {
  expect(clausesOf(" \n ")).toEqual([]);
});

test("whatever the text, the pieces are short and together they are the text", () => {
  const texts = fc.oneof(
    fc.lorem({ maxCount: 200 }),
    fc
      .array(
        fc.constantFrom("Dr. ", "10:30 ", "2.5, ", "a. ", "B. ", "No. ", "yes, ", "no! ", "Friday; ", "x".repeat(90)),
        { maxLength: 60 },
      )
      .map((parts) => parts.join("")),
    fc.string({ unit: "grapheme", maxLength: 600 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const clauses = clausesOf(text);
      for (const clause of clauses) {
        expect(clause.length).toBeLessThanOrEqual(180);
        expect(clause.trim()).not.toBe("");
      }
      expect(clauses.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    }),
  );
});
