// The report of an ended call, and deduplication of key presses.
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
  isAnswered: true,
  talkedSeconds: 5.06,
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

  test.each([
    ["nothing", { recorded: false, seconds: 0 }],
    ["a part", { recorded: true, seconds: 2 }],
  ])("lasted as long as its audio, where %s of it was recorded", (_, recording) => {
    const ends = { durationSeconds: 5.06, recorded: recording.recorded };
    expect(callEndOf(facts({ recording }))).toMatchObject(ends);
    expect(callEndOf(facts({ recording, ending: ending({ atMs: 1 }) }))).toMatchObject(ends);
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
  ] as const)("failed, with its length and the agent's report, where %s", (_, given, code) => {
    const end = callEndOf(facts(given));
    expect(end).toMatchObject({ kind: "failed", code, durationSeconds: 5.06 });
    expect(end.talk).toBe("talk" in given ? undefined : talk.talk);
  });
});

describe("an unanswered call", () => {
  const unanswered = { isAnswered: false, talkedSeconds: 0, recording: { recorded: false, seconds: 0 } };

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
