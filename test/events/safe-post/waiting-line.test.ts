// Posts handed over before their place is free: in order, within the concurrency limit, and with a bounded wait.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PostResult } from "../../../src/events/safe-post/safe-post.ts";
import type { NumberedPost } from "../../../src/events/safe-post/thread-protocol.ts";
import { LONGEST_WAIT_MS, WaitingLines } from "../../../src/events/safe-post/waiting-line.ts";
import { createManualClock, settle } from "../../support/manual-clock.ts";

const answered = (status: number): PostResult => ({ kind: "answered", status, excerpt: "", durationMs: 1 });
const post = (number: number, atOnce: number | undefined, line = "whe_1"): NumberedPost => ({
  number,
  url: "https://a.example/hook",
  line,
  headers: {},
  body: "{}",
  timeoutMs: 8_000,
  ...(atOnce !== undefined && { atOnce }),
});

function line() {
  const clock = createManualClock();
  const underWay = new Map<number, (result: PostResult) => void>();
  const begun: number[] = [];
  const ended = new Map<number, string>();
  const lines = new WaitingLines({
    clock,
    begin({ number }) {
      begun.push(number);
      return new Promise((resolve) => underWay.set(number, resolve));
    },
    ended: ({ number }, result) => void ended.set(number, result.kind),
  });
  const answer = async (number: number, result = answered(204)) => {
    underWay.get(number)?.(result);
    underWay.delete(number);
    await settle();
  };
  return { clock, lines, underWay, begun, ended, answer };
}

describe("a place", () => {
  test("is waited for in order, and taken as soon as one is free", async () => {
    const { lines, begun, answer } = line();
    for (const number of [1, 2, 3, 4]) lines.take(post(number, 2));
    expect(begun).toEqual([1, 2]);
    await answer(2);
    expect(begun).toEqual([1, 2, 3]);
    await answer(1);
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  test("is separate for endpoints with the same URL; without a limit no post waits", () => {
    const { lines, begun } = line();
    lines.take(post(1, 1));
    lines.take(post(2, 1));
    lines.take(post(3, 1, "whe_2"));
    for (const number of [4, 5, 6]) lines.take(post(number, undefined, "whe_3"));
    expect(begun).toEqual([1, 3, 4, 5, 6]);
  });

  test("that does not become free in time fails the post, and nothing was sent", async () => {
    const { clock, lines, begun, ended, answer } = line();
    for (const number of [1, 2]) lines.take(post(number, 1));
    await clock.advance(LONGEST_WAIT_MS / 2);
    lines.take(post(3, 1));
    await clock.advance(LONGEST_WAIT_MS / 2);
    expect([...ended]).toEqual([[2, "not_begun"]]);
    await clock.advance(LONGEST_WAIT_MS);
    expect([...ended]).toEqual([
      [2, "not_begun"],
      [3, "not_begun"],
    ]);
    await answer(1);
    expect(begun).toEqual([1]);
  });

  test.each<PostResult>([
    answered(429),
    answered(503),
    { kind: "timeout", detail: "No answer came in time.", durationMs: 8_000 },
  ])("is not waited for at a receiver that is overloaded: %p", async (result) => {
    const { lines, begun, ended, answer } = line();
    for (const number of [1, 2, 3]) lines.take(post(number, 1));
    await answer(1, result);
    expect(begun).toEqual([1]);
    expect([ended.get(2), ended.get(3)]).toEqual(["not_begun", "not_begun"]);
  });
});

test("for any sequence, the concurrency limit holds, and each post ends once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.oneof(fc.constant("take"), fc.constant("answer"), fc.constant("wait")), { maxLength: 60 }),
      async (atOnce, steps) => {
        const { clock, lines, underWay, ended, answer } = line();
        let taken = 0;
        for (const step of steps) {
          if (step === "take") lines.take(post(++taken, atOnce));
          else if (step === "answer") await answer([...underWay.keys()][0] ?? 0);
          else await clock.advance(LONGEST_WAIT_MS / 3);
          expect(underWay.size).toBeLessThanOrEqual(atOnce);
        }
        while (underWay.size > 0) await answer([...underWay.keys()][0] ?? 0);
        expect(ended.size).toBe(taken);
      },
    ),
    { numRuns: 50 },
  );
});
