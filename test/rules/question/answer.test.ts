// Answers to the question before a call: what counts as go, wait and drop, and what as no answer.
import { describe, expect, test } from "bun:test";
import { answerIn, askAgainAt, dialAnswerOf, questionFact } from "../../../src/rules/question/answer.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/clock.ts";
import { answered } from "../../support/fake-post.ts";

const NOW = Date.parse("2026-11-18T06:00:00Z");
const of = (body: unknown, status = 200) =>
  answerIn(answered(status, typeof body === "string" ? body : JSON.stringify(body)), NOW);

describe("an answer", () => {
  test("is go, wait or drop", () => {
    expect(of({ answer: "go" })).toEqual({ kind: "go" });
    expect(of({ answer: "go", more: 1 }, 201)).toEqual({ kind: "go" });
    expect(of({ answer: "wait", until: "2026-11-18T07:00:00Z" })).toEqual({
      kind: "wait",
      until: NOW + 60 * MINUTE_MS,
    });
    expect(of({ answer: "drop", reason: " deceased " })).toEqual({ kind: "drop", reason: "deceased" });
    expect(of({ answer: "drop" })).toEqual({ kind: "drop", reason: "" });
    expect(of({ answer: "drop", reason: "r".repeat(500) })).toEqual({ kind: "drop", reason: "r".repeat(200) });
  });

  test("waits from 30 seconds to 7 days", () => {
    expect(of({ answer: "wait", until: "2020-01-01T00:00:00Z" })).toEqual({
      kind: "wait",
      until: NOW + 30 * SECOND_MS,
    });
    expect(of({ answer: "wait", until: "2099-01-01T00:00:00Z" })).toEqual({ kind: "wait", until: NOW + 7 * DAY_MS });
  });

  test.each<[string, unknown, number, RegExp]>([
    ["another status", { answer: "go" }, 500, /Answered 500/],
    ["a redirect", { answer: "go" }, 302, /Answered 302/],
    ["no body", "", 200, /not a JSON object/],
    ["no JSON", "go", 200, /not a JSON object/],
    ["null", "null", 200, /not a JSON object/],
    ["another word", { answer: "GO" }, 200, /go, wait or drop/],
    ["a list", ["go"], 200, /go, wait or drop/],
    ["wait without a time", { answer: "wait" }, 200, /needs "until"/],
    ["wait with a wrong time", { answer: "wait", until: "soon" }, 200, /not a time/],
    ["more than a thousand characters", `{"answer":"go","x":"${"y".repeat(2_000)}`.slice(0, 1_000), 200, /longer/],
  ])("with %s is none", (_, body, status, detail) => {
    expect(of(body, status)).toEqual({ kind: "failed", detail: expect.stringMatching(detail) });
  });

  test("that never came is none", () => {
    expect(answerIn({ kind: "timeout", detail: "No answer came in time.", durationMs: 2_000 }, NOW)).toEqual({
      kind: "failed",
      detail: "No answer came in time.",
    });
  });
});

test("without an answer a call goes out or waits, as set", () => {
  const none = { kind: "failed", detail: "" } as const;
  expect(dialAnswerOf(none, "open", NOW)).toEqual({ kind: "failed_open", at: NOW });
  expect(dialAnswerOf(none, "closed", NOW)).toEqual({ kind: "unanswered", at: NOW });
  expect(dialAnswerOf({ kind: "go" }, "closed", NOW)).toEqual({ kind: "go", at: NOW });
});

test("the pause before the next question doubles from 30 seconds to 5 minutes", () => {
  const pauses: number[] = [];
  let now = NOW;
  for (let i = 0; i < 6; i++) {
    const next = askAgainAt(i === 0 ? null : NOW, now);
    pauses.push((next - now) / SECOND_MS);
    now = next;
  }
  expect(pauses).toEqual([30, 30, 60, 120, 240, 300]);
});

test("a wait that is over is asked again", () => {
  expect(questionFact(null, null, NOW)).toEqual({ kind: "not_asked" });
  expect(questionFact({ kind: "wait", until: NOW, at: NOW - 1 }, null, NOW)).toEqual({ kind: "not_asked" });
  expect(questionFact({ kind: "unanswered", at: NOW }, null, NOW)).toEqual({
    kind: "unanswered",
    until: NOW + 30 * SECOND_MS,
  });
});
