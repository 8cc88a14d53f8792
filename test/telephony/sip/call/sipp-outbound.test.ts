// Outbound calls to SIPp: every answer, refusal and race, over real sockets.
import { describe, expect } from "bun:test";
import { until } from "../../../support/until.ts";
import { isAnswerTo, startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "./agent-under-test.ts";
import { startSipp, testWithSipp as test, type Sipp, type SippOptions } from "../sipp/sipp.ts";
import type { TrunkSettings } from "../../../../src/trunks/trunk-settings.ts";

stopAgentsAfterEach();

const ACCOUNT = { username: "ward", secret: "s3cret" };

async function callTo(
  scenario: string,
  sippOptions: SippOptions = {},
  trunk: Partial<TrunkSettings> = {},
): Promise<AgentUnderTest & { sipp: Sipp }> {
  const sipp = await startSipp(scenario, sippOptions);
  const run = await startAgent([trunkAt(sipp.port, trunk)]);
  run.invite();
  return { ...run, sipp };
}

test("a call rings, is answered and hung up by us, and its ladder is whole", async () => {
  const run = await callTo("answer");
  await run.heard("call_1 answered");
  run.agent.hangUp("call_1");
  expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  await run.sipp.finished();
  expect(run.events).toEqual(["call_1 trying", "call_1 ringing", "call_1 answered", "call_1 ended us null"]);
  expect(run.negotiated).toEqual([
    {
      address: "127.0.0.1",
      port: expect.any(Number),
      codec: "PCMA",
      payloadType: 8,
      dtmfPayloadType: 101,
      direction: "sendrecv",
      trunkAddresses: ["127.0.0.1"],
      symmetricRtp: false,
      keys: null,
    },
  ]);
  expect(run.ladder.map(({ direction, firstLine }) => `${direction} ${firstLine.replace(/ sip:\S+/, "")}`)).toEqual([
    "sent INVITE SIP/2.0",
    "received SIP/2.0 100 Trying",
    "received SIP/2.0 180 Ringing",
    "received SIP/2.0 200 OK",
    "sent ACK SIP/2.0",
    "sent BYE SIP/2.0",
    "received SIP/2.0 200 OK",
  ]);
  expect(run.agent.counters()).toMatchObject({ openCalls: 0, droppedMalformed: 0, droppedStrangers: 0 });
});

test("the callee hangs up", async () => {
  const run = await callTo("answer-then-hang-up");
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
  await run.sipp.finished();
});

test("early media is heard before the answer, and an answer without SDP keeps it", async () => {
  const run = await callTo("early-media");
  await run.heard("call_1 answered");
  run.agent.hangUp("call_1");
  await run.sipp.finished();
  expect(run.events.slice(1, 4)).toEqual(["call_1 ringing", "call_1 ringing early", "call_1 answered"]);
  expect(run.negotiated.map(({ codec }) => codec)).toEqual(["PCMU"]);
});

test.each([
  ["486 Busy Here", "busy"],
  ["600 Busy Everywhere", "busy"],
  ["404 Not Found", "invalid_number"],
  ["484 Address Incomplete", "invalid_number"],
  ["480 Temporarily Unavailable", "no_answer"],
  ["487 Request Terminated", "no_answer"],
  ["403 Forbidden", "rejected"],
  ["603 Decline", "rejected"],
  ["488 Not Acceptable Here", "carrier_error"],
  ["503 Service Unavailable", "carrier_error"],
  ["302 Moved Temporarily", "carrier_error"],
])("%s ends the call as %s and is acknowledged", async (status, outcome) => {
  const run = await callTo("refuse", { words: { status } });
  expect(await run.ended()).toMatchObject({ by: "peer", outcome, sipCode: Number(status.slice(0, 3)) });
  await run.sipp.finished();
});

describe("passwords:", () => {
  test.each(["challenge", "proxy-challenge"])(
    "a %s is answered with a digest that no trace shows",
    async (scenario) => {
      const run = await callTo(scenario, {}, ACCOUNT);
      await run.heard("call_1 answered");
      run.agent.hangUp("call_1");
      await run.sipp.finished();
      const text = run.ladder.map((entry) => entry.text).join("\n");
      expect(text).toContain("uthorization: Digest (removed)");
      expect(text).not.toContain("response=");
    },
  );

  test("a stale nonce is replaced by the next", async () => {
    const run = await callTo("stale-nonce", {}, ACCOUNT);
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await run.sipp.finished();
  });

  test("a wrong password is tried once and named as such", async () => {
    const run = await callTo("wrong-password", {}, ACCOUNT);
    const ending = await run.ended();
    expect(ending).toMatchObject({ outcome: "carrier_error", sipCode: 401 });
    expect(ending.message).toContain("username and secret");
    await run.sipp.finished();
  });

  test("a challenge without an account is not answered", async () => {
    const words = { status: "407 Proxy Authentication Required" };
    const run = await callTo("refuse", { words });
    expect((await run.ended()).message).toContain("none is configured");
    await run.sipp.finished();
  });
});

describe("giving up:", () => {
  test("no answer: CANCEL, and the outcome is no_answer", async () => {
    const sipp = await startSipp("no-answer");
    const run = await startAgent([trunkAt(sipp.port)]);
    run.invite({ ringTimeoutMs: 1_500 });
    expect(await run.ended()).toMatchObject({ by: "timeout", outcome: "no_answer", sipCode: 487 });
    await sipp.finished();
  });

  test("we hang up while it rings", async () => {
    const run = await callTo("no-answer");
    await run.heard("call_1 ringing");
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "interrupted" });
    await run.sipp.finished();
  });

  test("an answer that races our CANCEL is acknowledged and hung up", async () => {
    const run = await callTo("cancel-race");
    await run.heard("call_1 ringing");
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "interrupted" });
    await run.sipp.finished();
    expect(run.events).not.toContain("call_1 answered");
  });

  test("the callee hangs up before answering", async () => {
    const run = await callTo("early-bye");
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: "rejected" });
    await run.sipp.finished();
  });
});

describe("odd answers:", () => {
  test("a second telephone that answers is acknowledged and put down; the first call goes on", async () => {
    const run = await callTo("fork");
    await run.heard("call_1 answered");
    await until(() => run.ladder.some(({ text }) => isAnswerTo("BYE", text)));
    expect(run.endings.size).toBe(0);
    run.agent.hangUp("call_1");
    await run.sipp.finished();
    expect(run.events.filter((event) => event === "call_1 answered")).toHaveLength(1);
  });

  test("a repeated 200 gets its ACK again", async () => {
    const run = await callTo("repeated-answer");
    await run.heard("call_1 answered");
    await until(() => run.ladder.filter(({ firstLine }) => firstLine.startsWith("ACK")).length >= 2);
    run.agent.hangUp("call_1");
    await run.sipp.finished();
  });

  test("a ringing that demands PRACK gets it", async () => {
    const run = await callTo("reliable-ringing");
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await run.sipp.finished();
  });

  test("a callee that no longer knows the call ends it all the same", async () => {
    const run = await callTo("forgotten-call");
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    await run.sipp.finished();
  });
});

test("thirty calls over a network that loses one message in five are all set up and torn down", async () => {
  const args = ["-lost", "20", "-T2", "200", "-max_invite_retrans", "40", "-max_non_invite_retrans", "40"];
  // SIPp takes late repetitions for calls of their own and would leave too early if it counted to thirty.
  const sipp = await startSipp("lossy", { calls: 1_000, args });
  const run = await startAgent([trunkAt(sipp.port, { lines: 30 })], { timers: { t1Ms: 50, t2Ms: 200, t4Ms: 500 } });
  const ids = Array.from({ length: 30 }, (_, i) => `call_${i}`);
  for (const callId of ids) run.invite({ callId });
  const endings = await Promise.all(ids.map((callId) => run.ended(callId)));
  sipp.stop();
  expect(endings.filter((ending) => ending.by === "peer" && ending.outcome === null)).toHaveLength(30);
  // The network did lose something: at least one message is in the ladder twice.
  expect(new Set(run.ladder.map(({ text }) => text)).size).toBeLessThan(run.ladder.length);
}, 180_000);
