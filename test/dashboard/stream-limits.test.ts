// Limits of concurrent change streams, and which stream is closed for a new one.
import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/errors.ts";
import {
  admitStream,
  MOST_PER_ORGANISATION,
  MOST_PER_PERSON,
  MOST_PER_SESSION,
  MOST_STREAMS,
  type Listener,
} from "../../src/dashboard/stream-limits.ts";

const listener = (organisationId: string, personId: string, session: string): Listener => ({
  organisationId,
  personId,
  session,
  boundsKey: "",
});

const many = (count: number, make: (i: number) => Listener) => Array.from({ length: count }, (_, i) => make(i));

function refusal(open: Listener[], wanted: Listener): AppError {
  try {
    admitStream(open, wanted);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("It was not refused.");
}

describe("one more stream", () => {
  test("is accepted below the limits", () => {
    expect(admitStream([], listener("a", "p", "s"))).toBeNull();
    const others = many(MOST_PER_SESSION - 1, () => listener("a", "p", "s"));
    expect(admitStream(others, listener("a", "p", "s"))).toBeNull();
  });

  test("of a full session replaces its oldest", () => {
    const others = [listener("a", "p", "other"), ...many(MOST_PER_SESSION, () => listener("a", "p", "s"))];
    expect(admitStream(others, listener("a", "p", "s"))).toBe(others[1]!);
  });

  test("of a person with many sessions replaces their oldest", () => {
    const others = many(MOST_PER_PERSON, (i) => listener("a", "p", `s${i}`));
    expect(admitStream(others, listener("a", "p", "anew"))).toBe(others[0]!);
  });

  test("of a full organisation is rejected with 429 and Retry-After, and others' are not", () => {
    const others = many(MOST_PER_ORGANISATION, (i) => listener("a", `p${i}`, `s${i}`));
    expect(refusal(others, listener("a", "p", "s"))).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 60 });
    expect(admitStream(others, listener("b", "p", "s"))).toBeNull();
  });

  test("of a full appliance is rejected with 503 and Retry-After", () => {
    const others = many(MOST_STREAMS, (i) => listener(`o${i}`, `p${i}`, `s${i}`));
    expect(refusal(others, listener("a", "p", "s"))).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 60 });
  });
});
