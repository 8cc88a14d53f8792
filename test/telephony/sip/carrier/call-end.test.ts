// What is reported of a call that is over, and which presses of a key are one.
import { describe, expect, test } from "bun:test";
import { callEndOf, type CallFacts } from "../../../../src/telephony/sip/worker/call-end.ts";
import { createKeysOnce } from "../../../../src/telephony/sip/worker/keys-once.ts";
import type { CallEnding } from "../../../../src/telephony/sip/call/user-agent-port.ts";

const ending = (given: Partial<CallEnding> = {}): CallEnding => ({
  by: "peer",
  outcome: null,
  sipCode: null,
  message: "The other side hung up.",
  atMs: 15_000,
  ...given,
});

const talk = { talk: "what they said" };

const facts = (given: Partial<CallFacts> = {}): CallFacts => ({
  ending: ending(),
  cause: null,
  answeredAtMs: 10_000,
  talk,
  recording: { recorded: true, seconds: 5.06 },
  ...given,
});

describe("a call that was answered", () => {
  test.each([
    ["the callee hung up", {}],
    ["we hung up", { cause: "hungUp", ending: ending({ by: "us" }) }],
    ["we hung up and then stopped", { cause: "hungUp", ending: ending({ by: "us", outcome: "interrupted" }) }],
  ] as const)("is completed where %s", (_, given) => {
    expect(callEndOf(facts(given))).toEqual({
      kind: "completed",
      durationSeconds: 5.06,
      recorded: true,
      ...talk,
    });
  });

  test("lasted by the clock where it was not recorded, and never less than nothing", () => {
    const recording = { recorded: false, seconds: 0 };
    expect(callEndOf(facts({ recording }))).toMatchObject({ durationSeconds: 5, recorded: false });
    expect(callEndOf(facts({ recording, ending: ending({ atMs: 1 }) }))).toMatchObject({ durationSeconds: 0 });
  });

  test.each([
    [
      "the network was lost",
      { ending: ending({ by: "network", outcome: "infrastructure_error" }) },
      "infrastructure_error",
    ],
    ["the other side's audio stopped", { cause: "audioLost" }, "infrastructure_error"],
    ["we stopped", { cause: "stopped" }, "interrupted"],
    ["the agent failed", { cause: "agentFailed", talk: null }, "infrastructure_error"],
    ["the agent failed at the very end", { talk: null }, "infrastructure_error"],
  ] as const)("failed, with its length, where %s", (_, given, code) => {
    expect(callEndOf(facts(given))).toMatchObject({ kind: "failed", code, durationSeconds: 5.06 });
  });
});

describe("a call that nobody answered", () => {
  const unanswered = { answeredAtMs: null, recording: { recorded: false, seconds: 0 } };

  test("failed as the line says, without a length", () => {
    const busy = ending({ outcome: "busy", sipCode: 486, message: "The line is busy." });
    expect(callEndOf(facts({ ...unanswered, ending: busy }))).toEqual({
      kind: "failed",
      code: "busy",
      message: "The line is busy.",
    });
  });

  test.each([
    ["hungUp", "interrupted", "The call was hung up before it was answered."],
    ["stopped", "interrupted", "The service was stopped during the call."],
    ["noMedia", "infrastructure_error", expect.stringContaining("rtp_port_from") as string],
  ] as const)("failed for our own cause, %s, whatever the line says", (cause, code, message) => {
    const end = callEndOf(facts({ ...unanswered, cause, ending: ending({ outcome: "rejected" }) }));
    expect(end).toEqual({ kind: "failed", code, message, ...(cause === "noMedia" && { putBack: true }) });
  });
});

describe("keys", () => {
  test("that come by RTP and by INFO count once, in whatever order, however fast", () => {
    const isNew = createKeysOnce(() => 0);
    const heard = (["rtp 1", "rtp 2", "info 1", "rtp 2", "info 2", "info 2"] as const).map((press) => {
      const [source, key] = press.split(" ") as ["rtp" | "info", string];
      return isNew(source, key);
    });
    expect(heard).toEqual([true, true, false, true, false, false]);
  });

  test("that come one way count every time", () => {
    const isNew = createKeysOnce(() => 0);
    expect([isNew("info", "5"), isNew("info", "5")]).toEqual([true, true]);
  });

  test("pressed again later, the other way, count again", () => {
    let nowMs = 0;
    const isNew = createKeysOnce(() => nowMs);
    expect(isNew("rtp", "5")).toBe(true);
    nowMs = 2_000;
    expect(isNew("info", "5")).toBe(true);
  });
});
