import { describe, expect, test } from "bun:test";
import { followUpOf } from "../../../src/calls/call/retry.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import type { CallEnd, Conversation } from "../../../src/calls/call/call-end.ts";
import { FAILURE_CODES, type FailureCode } from "../../../src/telephony/port.ts";
import { agentRow, callRow } from "../../support/call-rows.ts";
import { TALK } from "../../support/fake-carrier.ts";

const NOW = 1_000_000;
const failed = (code: FailureCode): CallEnd => ({ kind: "failed", code, message: "." });
const voicemail = {
  ...TALK,
  analytics: { ...TALK.analytics!, disposition: "voicemail" },
} satisfies Conversation as CallEnd;
const persistent = agentRow({
  retry_attempts: 2,
  retry_minutes: 20,
  retry_outcomes: ["busy", "no_answer", "voicemail", "interrupted"],
});

describe("the agent's retry policy", () => {
  test("creates another call after its delay", () => {
    expect(followUpOf(callRow(), persistent, failed("busy"), NOW)).toEqual({
      source: "retry",
      at: NOW + 20 * MINUTE_MS,
      retryCount: 1,
    });
  });

  test("counts the previous calls, and stops at its number of attempts", () => {
    expect(followUpOf(callRow({ retry_count: 1 }), persistent, failed("busy"), NOW)?.retryCount).toBe(2);
    expect(followUpOf(callRow({ retry_count: 2 }), persistent, failed("busy"), NOW)).toBeNull();
  });

  const retried = new Set<FailureCode>(["busy", "no_answer", "interrupted"]);
  test.each([...FAILURE_CODES])("after %s", (code) => {
    expect(followUpOf(callRow(), persistent, failed(code), NOW) !== null).toBe(retried.has(code));
  });

  test("retries after a voicemail, although that call was completed", () => {
    expect(followUpOf(callRow(), persistent, voicemail, NOW)?.source).toBe("retry");
    expect(followUpOf(callRow(), persistent, TALK, NOW)).toBeNull();
  });

  test("applies only to the listed outcomes", () => {
    const onlyBusy = agentRow({ retry_attempts: 2, retry_outcomes: ["busy"] });
    expect(followUpOf(callRow(), onlyBusy, failed("no_answer"), NOW)).toBeNull();
    expect(followUpOf(callRow(), onlyBusy, voicemail, NOW)).toBeNull();
    expect(followUpOf(callRow(), onlyBusy, failed("busy"), NOW)).not.toBeNull();
  });

  test("does nothing by default, and nothing for a conversation without analysis", () => {
    expect(followUpOf(callRow(), agentRow(), failed("busy"), NOW)).toBeNull();
    expect(followUpOf(callRow(), persistent, { ...TALK, analytics: null }, NOW)).toBeNull();
  });

  test("does not apply to inbound calls", () => {
    expect(followUpOf(callRow({ direction: "inbound" }), persistent, failed("busy"), NOW)).toBeNull();
  });
});

describe("a callback agreed in the conversation", () => {
  const agreed: CallEnd = { ...TALK, callbackInMinutes: 90 };
  test("is created for its time, whatever the retry policy says", () => {
    expect(followUpOf(callRow({ retry_count: 9 }), agentRow(), agreed, NOW)).toEqual({
      source: "callback",
      at: NOW + 90 * MINUTE_MS,
      retryCount: 0,
    });
  });
});

describe("an agreed callback", () => {
  test("is due at the named time, but never immediately and never after two months", () => {
    const at = (callbackAt: number) => followUpOf(callRow(), agentRow(), { ...TALK, callbackAt }, NOW);
    expect(at(NOW + 90 * MINUTE_MS)).toEqual({ source: "callback", at: NOW + 90 * MINUTE_MS, retryCount: 0 });
    expect(at(NOW - 1)?.at).toBe(NOW + MINUTE_MS);
    expect(at(Number.MAX_SAFE_INTEGER)?.at).toBe(NOW + 60 * 24 * 60 * MINUTE_MS);
  });
});
