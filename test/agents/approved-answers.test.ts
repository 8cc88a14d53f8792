// Validation of approved answers.
import { describe, expect, test } from "bun:test";
import { checkedAnswers } from "../../src/agents/approved-answers.ts";
import { MOST_ANSWERS, type ApprovedAnswer } from "../../src/payloads/approved-answer.ts";

const answer = (change: Partial<ApprovedAnswer> = {}): ApprovedAnswer => ({
  question: "Where do I park?",
  answer: "Behind the house.",
  language: "",
  ...change,
});
const checked = (...answers: ApprovedAnswer[]) => checkedAnswers(answers, (tag) => tag);

describe("an answer", () => {
  test("is returned as given, on one line", () => {
    const given = answer({ question: " Where do\n I park? ", answer: " घर के पीछे।  ", language: " hi " });
    expect(checked(given)).toEqual([{ question: "Where do I park?", answer: "घर के पीछे।", language: "hi" }]);
  });

  test("is unique per language", () => {
    expect(checked(answer(), answer({ language: "hi" }))).toHaveLength(2);
  });

  test.each<[string, ApprovedAnswer[]]>([
    ["no question", [answer({ question: " " })]],
    ["no words", [answer({ answer: "" })]],
    ["too many words", [answer({ answer: "x".repeat(501) })]],
    ["a question that is a text", [answer({ question: "x".repeat(201) })]],
    ["a placeholder", [answer({ answer: "With {{doctor}}." })]],
    ["letters that turn the line around", [answer({ answer: "Behind \u202Ethe house." })]],
    ["half a letter", [answer({ answer: "Behind \uD800 the house." })]],
    ["the same question twice", [answer(), answer({ question: "where do i park?" })]],
    ["too many others", Array.from({ length: MOST_ANSWERS + 1 }, (_, i) => answer({ question: `Question ${i}?` }))],
  ])("with %s is refused", (_, answers) => {
    expect(() => checked(...answers)).toThrow("approved_answers");
  });
});
