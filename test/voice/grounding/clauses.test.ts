// Tag questions state nothing, and words of two statements must not be combined into a third.
import { expect, test } from "bun:test";
import { groundedSentences } from "../../../src/voice/grounding/summary.ts";
import { isQuoted } from "../../../src/voice/grounding/quoted.ts";
import { yesNoSaid } from "../../../src/voice/grounding/yes-no.ts";

const CONSENT = { name: "consent", description: "Do they consent to the study?" };
const saidYes = (text: string) => yesNoSaid(CONSENT, text, "Will you come?", "en-IN");

test.each(["I signed the consent last year, did I not?", "I gave my consent, right?", "So, I consent, do I?"])(
  "%p states no consent",
  (text) => expect(saidYes(text)).toBeNull(),
);

test.each([
  "I consent.",
  "I consent. Is that all?",
  "I gave my consent, and where do I park when I come with the car?",
])("consent is stated in %p", (text) => expect(saidYes(text)).toBe(true));

test("a tag applies to its own sentence only", () => {
  expect(isQuoted("I am diabetic", "I am diabetic, am I not?")).toBe(false);
  expect(isQuoted("I am diabetic", "I am diabetic, right?")).toBe(false);
  expect(isQuoted("I am diabetic", "I am diabetic. You see?")).toBe(true);
});

test("a summary does not join words that were separated by others", () => {
  const said = ["The doctor is good and the parking is bad.", "I need a wheelchair."];
  expect(groundedSentences("The doctor is bad.", said, "none")).toEqual([]);
  expect(groundedSentences("The parking is bad. The patient needs a wheelchair.", said, "none")).toHaveLength(2);
});

test("a summary does not attribute another person's statement to the callee", () => {
  const of = (summary: string, ...said: string[]) => groundedSentences(summary, said, "none");
  expect(of("The patient said I am diabetic.", "They said I am diabetic.")).toEqual([]);
  expect(of("The patient says I am a smoker.", "The leaflet says I am a smoker.")).toEqual([]);
  expect(of("The patient wants me dead.", "I want water and they want me dead.")).toEqual([]);
  expect(of("The patient said they want me dead.", "I want water and they want me dead.")).toHaveLength(1);
  expect(of("The patient said I am diabetic.", "I said I am diabetic.")).toHaveLength(1);
});
