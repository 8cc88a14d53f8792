// Trunk behaviour against SIPp: registration, OPTIONS in both directions, inbound calls, and unknown senders.
import { describe, expect } from "bun:test";
import { until } from "../../../support/until.ts";
import { isAnswerTo, startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { freeSipPort } from "../../../support/free-ports.ts";
import { startSipp, testWithSipp as test } from "../sipp/sipp.ts";

stopAgentsAfterEach();

describe("registration:", () => {
  const account = { register: true, username: "ward", secret: "s3cret" };

  test("registers with a digest and takes it back when it stops", async () => {
    const sipp = await startSipp("register");
    const run = await startAgent([trunkAt(sipp.port, account)]);
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
    expect(run.agent.trunkStates()[0]).toMatchObject({ state: "up", lastError: null });
    await run.agent.stop(2_000);
    await sipp.finished();
  });

  test("a refused registration takes the trunk down and says why; calls are refused at once", async () => {
    const sipp = await startSipp("register-refused");
    const run = await startAgent([trunkAt(sipp.port, account)]);
    await until(() => run.agent.trunkStates()[0]!.state === "down");
    expect(run.agent.trunkStates()[0]!.lastError).toContain("403");
    run.invite();
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "infrastructure_error" });
    await sipp.finished();
  });
});

describe("OPTIONS:", () => {
  test("a trunk that answers is up, with its round trip measured", async () => {
    const sipp = await startSipp("options-answered");
    const run = await startAgent([trunkAt(sipp.port, { optionsEverySeconds: 25 })]);
    await until(() => run.agent.trunkStates()[0]!.state === "up");
    expect(run.agent.trunkStates()[0]!.roundTripMs).toBeWithin(0, 30_000);
    await sipp.finished();
  });

  test.each(["udp", "tcp"] as const)("we answer over %s", async (transport) => {
    const port = freeSipPort();
    const run = await startAgent([trunkAt(port, { transport })]);
    const sipp = await startSipp("ask-us", { target: `127.0.0.1:${run.agent.port}`, port, transport });
    await sipp.finished();
  });
});

describe("calls to us:", () => {
  async function calledBy(
    scenario: string,
    overrides: Parameters<typeof trunkAt>[1] = {},
    transport: "udp" | "tcp" = "udp",
  ) {
    const port = freeSipPort();
    const run = await startAgent([trunkAt(port, { ...overrides, transport })]);
    const sipp = await startSipp(scenario, { target: `127.0.0.1:${run.agent.port}`, port, transport });
    return { ...run, sipp };
  }

  test.each(["udp", "tcp"] as const)("over %s it rings, we answer, the caller hangs up", async (transport) => {
    const run = await calledBy("call-us", {}, transport);
    await until(() => run.inbound.length === 1);
    const { callId, ...call } = run.inbound[0]!;
    expect(call).toEqual({ trunkId: "main", from: "+919800000001", to: "+911140000000", isToAccount: false });
    run.agent.answerInbound(callId, ["PCMU", "PCMA"]);
    await run.heard(`${callId} answered`);
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
    await run.sipp.finished();
    expect(run.negotiated.map(({ codec }) => codec)).toEqual(["PCMA"]);
    expect(run.ladder[0]!.firstLine).toStartWith("INVITE");
  });

  test("one that demands PRACK for our ringing gives it, and is answered", async () => {
    const run = await calledBy("call-us-reliably");
    await until(() => run.ladder.some(({ text }) => isAnswerTo("PRACK", text)));
    const { callId } = run.inbound[0]!;
    run.agent.answerInbound(callId, ["PCMA", "PCMU"]);
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
    await run.sipp.finished();
  });

  test("without an offer the answer comes in the ACK", async () => {
    const run = await calledBy("call-us-without-offer");
    await until(() => run.inbound.length === 1);
    run.agent.answerInbound(run.inbound[0]!.callId, ["PCMA", "PCMU"]);
    await run.sipp.finished();
    expect(run.negotiated.map(({ codec }) => codec)).toEqual(["PCMU"]);
  });

  test("we hang up", async () => {
    const run = await calledBy("call-us-and-wait");
    await until(() => run.inbound.length === 1);
    const { callId } = run.inbound[0]!;
    run.agent.answerInbound(callId, ["PCMA"]);
    await run.heard(`${callId} answered`);
    run.agent.hangUp(callId);
    expect(await run.ended(callId)).toMatchObject({ by: "us", outcome: null });
    await run.sipp.finished();
  });

  test("we reject", async () => {
    const run = await calledBy("call-us-486");
    await until(() => run.inbound.length === 1);
    run.agent.rejectInbound(run.inbound[0]!.callId, 486);
    expect(await run.ended(run.inbound[0]!.callId)).toMatchObject({ by: "us", outcome: "rejected", sipCode: 486 });
    await run.sipp.finished();
  });

  test("the caller gives up", async () => {
    const run = await calledBy("call-us-and-give-up");
    await until(() => run.inbound.length === 1);
    expect(await run.ended(run.inbound[0]!.callId)).toMatchObject({ by: "peer", outcome: "no_answer", sipCode: 487 });
    await run.sipp.finished();
  });

  test.each(["call-us-420", "call-us-488", "order-us"])("%s is refused without a report", async (scenario) => {
    const run = await calledBy(scenario);
    await run.sipp.finished();
    expect(run.inbound).toEqual([]);
    expect(run.agent.counters().openCalls).toBe(0);
  });

  test("beyond the trunk's lines the caller hears busy", async () => {
    const run = await calledBy("call-us-486", { lines: 0 });
    await run.sipp.finished();
    expect(run.inbound).toEqual([]);
  });
});

test("a stranger that calls us gets no answer at all", async () => {
  const run = await startAgent([trunkAt(freeSipPort())]);
  const stranger = await startSipp("call-us", {
    target: `127.0.0.1:${run.agent.port}`,
    address: "127.0.0.2",
    args: ["-recv_timeout", "1500"],
  });
  const complaint = await stranger.finished().catch((error: unknown) => String(error));
  expect(complaint).toContain("message sent");
  expect(complaint).not.toContain("message received");
  expect(run.inbound).toEqual([]);
  expect(run.agent.counters().droppedStrangers).toBeGreaterThan(0);
});
