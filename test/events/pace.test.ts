// Concurrency of an endpoint: at least one, at most the maximum, lower on overload, higher again afterwards.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_PLACES, LEAST_PLACES, MOST_PLACES, Pace, pauseMs } from "../../src/events/pace.ts";

const GOOD = { outcome: "delivered", status: 204, durationMs: 20 } as const;
const BUSY = { outcome: "refused", status: 503, durationMs: 20 } as const;

const attempts = fc.constantFrom(
  GOOD,
  BUSY,
  { outcome: "refused", status: 429, durationMs: 5 } as const,
  { outcome: "refused", status: 500, durationMs: 5 } as const,
  { outcome: "timeout", status: null, durationMs: 8_000 } as const,
  { outcome: "unreachable", status: null, durationMs: 1 } as const,
  { outcome: "our_fault", status: null, durationMs: 1 } as const,
  { outcome: "delivered", status: 200, durationMs: 3_000 } as const,
);

function answer(pace: Pace, attempt: Parameters<Pace["end"]>[1], times = 1): void {
  for (let i = 0; i < times; i++) pace.end(pace.begin(), attempt, true);
}

/** More answers than the way up from one place needs. */
const WAY_UP = (MOST_PLACES * (MOST_PLACES + 1)) / 2;

describe("the places of an endpoint", () => {
  test("stay between one and the maximum, for any answers in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(attempts, fc.boolean(), fc.nat(40))), (history) => {
        const pace = new Pace();
        const tickets = [pace.begin()];
        for (const [attempt, wasFull, back] of history) {
          tickets.push(pace.begin());
          pace.end(tickets.at(-1 - (back % tickets.length))!, attempt, wasFull);
          expect(pace.places).toBeWithin(LEAST_PLACES, MOST_PLACES + 1);
          expect(Number.isInteger(pace.places)).toBe(true);
        }
      }),
    );
  });

  test("return to the maximum from any value, once the receiver answers quickly", () => {
    fc.assert(
      fc.property(fc.array(attempts), (history) => {
        const pace = new Pace();
        for (const attempt of history) answer(pace, attempt);
        answer(pace, GOOD, WAY_UP);
        expect(pace.places).toBe(MOST_PLACES);
      }),
    );
  });

  test("increase by one after as many successful answers as there are places, only while all are in use", () => {
    const pace = new Pace();
    answer(pace, GOOD, FIRST_PLACES - 1);
    expect(pace.places).toBe(FIRST_PLACES);
    answer(pace, GOOD);
    expect(pace.places).toBe(FIRST_PLACES + 1);
    for (let i = 0; i < 1_000; i++) pace.end(pace.begin(), GOOD, false);
    expect(pace.places).toBe(FIRST_PLACES + 1);
  });

  test.each([
    ["503", BUSY],
    ["429", { outcome: "refused", status: 429, durationMs: 5 } as const],
    ["a time-out", { outcome: "timeout", status: null, durationMs: 8_000 } as const],
    ["a refused connection", { outcome: "unreachable", status: null, durationMs: 1 } as const],
    ["an answer far slower than usual", { outcome: "delivered", status: 200, durationMs: 2_000 } as const],
  ])("are halved by %s", (_, attempt) => {
    const pace = new Pace();
    answer(pace, GOOD);
    answer(pace, attempt);
    expect(pace.places).toBe(FIRST_PLACES / 2);
  });

  test("are halved once for all deliveries that were in flight together", () => {
    const pace = new Pace();
    const tickets = Array.from({ length: FIRST_PLACES }, () => pace.begin());
    for (const ticket of tickets) pace.end(ticket, BUSY, true);
    expect(pace.places).toBe(FIRST_PLACES / 2);
  });

  test.each([404, 500])("do not change after %p, or after an error of our own", (status) => {
    const pace = new Pace();
    answer(pace, { outcome: "refused", status, durationMs: 5 }, 100);
    answer(pace, { outcome: "our_fault", status: null, durationMs: 5 }, 100);
    expect(pace.places).toBe(FIRST_PLACES);
  });

  test("are not reduced for a receiver that is always slow", () => {
    const pace = new Pace();
    answer(pace, { outcome: "delivered", status: 200, durationMs: 3_000 }, WAY_UP);
    expect(pace.places).toBe(MOST_PLACES);
  });
});

describe("a pause that the receiver requests", () => {
  const now = Date.parse("2026-11-15T06:00:00Z");
  test.each([
    ["5", 5_000],
    ["0", 0],
    ["86400", 30_000],
    ["Sun, 15 Nov 2026 06:00:10 GMT", 10_000],
    ["Sun, 15 Nov 2026 05:00:00 GMT", 0],
    ["soon", null],
    ["-1", null],
    ["", null],
    [null, null],
  ])("%p is %p ms", (header, ms) => expect(pauseMs(header, now)).toBe(ms));
});
