// Which outcomes of a call need a person.
import { describe, expect, test } from "bun:test";
import type { FinalCall } from "../../src/calls/call/final-calls.ts";
import type { Call } from "../../src/calls/call/records.ts";
import { findingOf, isSolved } from "../../src/worklist/kinds.ts";
import { callRow } from "../support/call-rows.ts";

function talked(answer: string, change: Partial<Call> = {}, name = "answer"): FinalCall {
  const end = {
    kind: "completed" as const,
    durationSeconds: 30,
    recorded: false,
    transcript: [],
    analytics: null,
    extractedDetails: { [name]: answer },
  };
  return { call: callRow({ state: "completed", outcome: "session_ended", ...change }), end };
}

const failed = (change: Partial<Call> = {}): FinalCall => ({
  call: callRow({ state: "failed", error_code: "busy", outcome: "busy", ...change }),
  end: null,
});

describe("a conversation", () => {
  test.each([
    ["emergency", "emergency"],
    ["person_wanted", "person_wanted"],
    ["transfer_refused", "person_wanted"],
    ["handed_over", "person_wanted"],
    ["change_requested", "another_time"],
    ["nothing_open", "unfulfilled"],
    ["not_saved", "unfulfilled"],
    ["unsettled", "unfulfilled"],
    ["wrong_number", "unfulfilled"],
    ["message_left", "call_failed"],
  ])("that ended as %s is an entry of %s", (answer, kind) => {
    expect(findingOf(talked(answer), false)).toEqual({ kind, detail: answer } as never);
    expect(findingOf(talked(answer, {}, "keypad_answer"), false)?.kind as string).toBe(kind);
  });

  test.each(["confirmed", "booked", "rescheduled", "cancelled", "call_later", "opted_out", "acknowledged", "none"])(
    "that came to %s is none, and solves what was open",
    (answer) => {
      const final = talked(answer);
      expect(findingOf(final, false)).toBeNull();
      expect(isSolved(final, null)).toBeTrue();
    },
  );

  test("of an inbound call with a booking without a name is an entry, by voice and by keys", () => {
    const inbound = { direction: "inbound", contact_name: null } as const;
    for (const answer of ["booked", "waitlisted"]) {
      const line = { kind: "unfulfilled", detail: "name_missing" } as const;
      expect(findingOf(talked(answer, inbound), false)).toEqual(line);
      expect(findingOf(talked(answer, inbound, "keypad_answer"), false)).toEqual(line);
      const named = talked(answer, inbound);
      if (named.end?.kind === "completed") named.end.extractedDetails = { answer, caller_name: "Asha" };
      expect(findingOf(named, false)).toBeNull();
      expect(findingOf(talked(answer, { ...inbound, contact_name: "Asha" }), false)).toBeNull();
      expect(findingOf(talked(answer, { contact_name: null }), false)).toBeNull();
    }
    expect(findingOf(talked("declined", inbound), false)).toBeNull();
  });

  test("with a voicemail is no entry while it is retried, and resolves nothing", () => {
    const final = talked("machine_answered", { outcome: "voicemail" });
    expect(findingOf(final, true)).toBeNull();
    expect(isSolved(final, null)).toBeFalse();
    // A request for a person needs one, whatever is planned.
    expect(findingOf(talked("person_wanted"), true)?.kind).toBe("person_wanted");
  });
});

describe("a call that was not connected", () => {
  test("is an entry once it is not retried", () => {
    expect(findingOf(failed(), false)).toEqual({ kind: "call_failed", detail: "busy" });
    expect(findingOf(failed(), true)).toBeNull();
    expect(findingOf(failed({ state: "disallowed", error_code: "insufficient_credits" }), false)?.kind).toBe(
      "call_failed",
    );
  });

  test("is no entry if it was intended, or inbound", () => {
    expect(findingOf(failed({ state: "disallowed", error_code: "do_not_disturb" }), false)).toBeNull();
    expect(findingOf(failed({ direction: "inbound" }), false)).toBeNull();
    expect(findingOf({ call: callRow({ state: "cancelled" }), end: null }, false)).toBeNull();
  });
});
