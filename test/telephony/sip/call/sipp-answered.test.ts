// Inside an answered call: hold, codec change, session timers, keys, transfer; also over TCP.
import { describe, expect } from "bun:test";
import { until } from "../../../support/until.ts";
import { RFC_TIMERS } from "../../../../src/telephony/sip/transaction/timers.ts";
import { fasterClock, isAnswerTo, startAgent, stopAgentsAfterEach, trunkAt } from "./agent-under-test.ts";
import { freeSipPort } from "../../../support/free-ports.ts";
import { startSipp, testWithSipp as test } from "../sipp/sipp.ts";

stopAgentsAfterEach();

async function answeredBy(scenario: string, words: Record<string, string> = {}) {
  const sipp = await startSipp(scenario, { words });
  const run = await startAgent([trunkAt(sipp.port)]);
  run.invite();
  await run.heard("call_1 answered");
  return { ...run, sipp };
}

test("the callee holds us, resumes with another codec, and hangs up", async () => {
  const run = await answeredBy("hold");
  await run.ended();
  await run.sipp.finished();
  expect(run.negotiated.map(({ codec, direction }) => `${codec} ${direction}`)).toEqual([
    "PCMA sendrecv",
    "PCMA sendonly",
    "PCMU sendrecv",
  ]);
});

test("a re-INVITE without an offer gets ours, and its answer in the ACK is taken", async () => {
  const run = await answeredBy("offerless-reinvite");
  await run.ended();
  await run.sipp.finished();
  expect(run.negotiated.map(({ codec }) => codec)).toEqual(["PCMA", "PCMU"]);
});

test("keys by INFO are passed on; REFER, unknown methods, extensions and codecs are refused; the call survives", async () => {
  const run = await answeredBy("requests-inside");
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
  await run.sipp.finished();
  expect(run.events).toContain("call_1 key 5");
  expect(run.negotiated).toHaveLength(1);
});

describe("session timers:", () => {
  const TIMES = 30;
  const slowTimers = { t1Ms: RFC_TIMERS.t1Ms * TIMES, t2Ms: RFC_TIMERS.t2Ms * TIMES, t4Ms: RFC_TIMERS.t4Ms * TIMES };

  test("the callee refreshes by UPDATE and re-INVITE; too short an interval gets 422", async () => {
    const run = await answeredBy("refreshed-by-peer");
    expect(await run.ended()).toMatchObject({ by: "peer" });
    await run.sipp.finished();
  });

  test("we refresh at half time where that was agreed", async () => {
    const sipp = await startSipp("refreshed-by-us");
    const run = await startAgent([trunkAt(sipp.port)], { clock: fasterClock(TIMES), timers: slowTimers });
    run.invite({ ringTimeoutMs: 30_000 * TIMES });
    await until(() => run.ladder.some(({ text }) => isAnswerTo("UPDATE", text)));
    run.agent.hangUp("call_1");
    await sipp.finished();
  });

  test("a call that the callee does not refresh is ended before its time is up", async () => {
    const sipp = await startSipp("never-refreshed");
    const run = await startAgent([trunkAt(sipp.port)], { clock: fasterClock(TIMES), timers: slowTimers });
    run.invite({ ringTimeoutMs: 30_000 * TIMES });
    expect(await run.ended()).toMatchObject({ by: "network", outcome: "infrastructure_error" });
    await sipp.finished();
  });
});

describe("transfer:", () => {
  test.each([
    ["SIP/2.0 200 OK", "answered", 200],
    ["SIP/2.0 486 Busy Here", "refused", 486],
  ] as const)("NOTIFY with %s is reported as %s", async (transfer_result, state, sipCode) => {
    const run = await answeredBy("transfer", { transfer_result });
    run.agent.refer("call_1", "+919800000002");
    await run.ended();
    await run.sipp.finished();
    expect(run.transfers).toEqual([
      { state: "accepted", sipCode: 202 },
      { state: "trying", sipCode: 100 },
      { state: "ringing", sipCode: 180 },
      { state, sipCode },
    ]);
  });

  test("a refused REFER is reported, and the call goes on", async () => {
    const run = await answeredBy("transfer-refused");
    run.agent.refer("call_1", "+919800000002");
    await until(() => run.transfers.length > 0);
    expect(run.transfers).toEqual([{ state: "refused", sipCode: 603 }]);
    expect(run.endings.size).toBe(0);
    run.agent.hangUp("call_1");
    await run.sipp.finished();
  });
});

describe("over TCP:", () => {
  test.each(["answer", "early-media"])("%s", async (scenario) => {
    const sipp = await startSipp(scenario, { transport: "tcp" });
    const run = await startAgent([trunkAt(sipp.port, { transport: "tcp" })]);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    await sipp.finished();
  });

  test.each(["answer-then-hang-up", "hold", "requests-inside"])("%s", async (scenario) => {
    const sipp = await startSipp(scenario, { transport: "tcp" });
    const run = await startAgent([trunkAt(sipp.port, { transport: "tcp" })]);
    run.invite();
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
    await sipp.finished();
  });

  test("a trunk that does not listen is down before the first call, and a call is refused at once", async () => {
    const run = await startAgent([trunkAt(freeSipPort(), { transport: "tcp" })]);
    expect(run.agent.trunkStates()[0]!.state).toBe("down");
    run.invite();
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "infrastructure_error" });
  });

  test("after the trunk came back it is connected again by itself", async () => {
    const first = await startSipp("answer", { transport: "tcp" });
    const run = await startAgent([trunkAt(first.port, { transport: "tcp" })], { clock: fasterClock(10) });
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await first.finished();
    await until(() => run.agent.trunkStates()[0]!.state === "down");
    const second = await startSipp("answer", { transport: "tcp", port: first.port });
    await until(() => run.agent.trunkStates()[0]!.state !== "down");
    run.invite({ callId: "call_2" });
    await run.heard("call_2 answered");
    run.agent.hangUp("call_2");
    await second.finished();
  });
});
