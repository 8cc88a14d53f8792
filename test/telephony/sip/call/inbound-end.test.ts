// Inbound calls that are not answered: the caller gives up at any moment, or every line is in use.
import { describe, expect, test } from "bun:test";
import { createManualClock } from "../../../support/manual-clock.ts";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "./agent-under-test.ts";
import { hangUpCallersAfterEach, scriptedCaller, statusOf } from "./scripted-caller.ts";
import { SDP, type Heard } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();
hangUpCallersAfterEach();

const tagOf = (one: Heard) => /tag=([^;\s]+)/.exec(one.header("to"))?.[1];
/** The INVITE's own, as the scripted caller writes it. */
const CANCEL = { branch: "z9hG4bKscriptedINVITE1" };

async function calling(lines = 10) {
  const caller = await scriptedCaller();
  const clock = createManualClock();
  const run = await startAgent([trunkAt(caller.peer.port, { lines })], { clock });
  caller.callAt(run.agent.port);
  caller.invite();
  await until(() => run.inbound.length === 1);
  return { caller, clock, run, callId: run.inbound[0]!.callId };
}

/** A second call of the same trunk, under names of its own. */
const second = { callId: "second", fromTag: "other", branch: "z9hG4bKsecond", body: SDP };
const toSecond = (all: Heard[]) => all.filter((one) => one.header("call-id") === "second").map(statusOf);

describe("the caller gives up", () => {
  test("before we answer: 200 and 487 under one tag, the call is over, and its line is free", async () => {
    const { caller, run, callId } = await calling(1);
    caller.send("CANCEL", CANCEL);
    const taken = await caller.answered("CANCEL", 200);
    const refused = await caller.answered("INVITE", 487);
    expect(tagOf(taken)).toBe(tagOf(refused));
    expect(await run.ended(callId)).toMatchObject({
      by: "peer",
      outcome: "no_answer",
      sipCode: 487,
      message: "The caller gave up before we answered.",
    });
    expect(run.agent.trunkStates()[0]!.activeCalls).toBe(0);
    caller.send("ACK");
    caller.send("INVITE", second);
    await until(() => run.inbound.length === 2);
    run.agent.answerInbound(callId, ["PCMA"]);
    expect(run.negotiated).toEqual([]);
  });

  test("twice: the same answer twice, and one end", async () => {
    const { caller, run, callId } = await calling();
    caller.send("CANCEL", CANCEL);
    await run.ended(callId);
    caller.send("CANCEL", CANCEL);
    await until(() => caller.answers("CANCEL").length === 2);
    expect(caller.answers("CANCEL").map(statusOf)).toEqual([200, 200]);
    expect(run.events.filter((event) => event.includes("ended"))).toHaveLength(1);
  });

  test("as we answer: it is told yes, the call stands, and its BYE ends it", async () => {
    const { caller, run, callId } = await calling();
    run.agent.answerInbound(callId, ["PCMA"]);
    caller.send("CANCEL", CANCEL);
    const taken = await caller.answered("CANCEL", 200);
    const answer = await caller.answered("INVITE", 200);
    expect(tagOf(taken)).toBe(tagOf(answer));
    expect(caller.answers("INVITE").map(statusOf)).not.toContain(487);
    expect(run.endings.size).toBe(0);
    caller.send("ACK");
    await run.heard(`${callId} answered`);
    caller.send("BYE", { cseq: 2 });
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
  });

  test("as we answer, and neither acknowledges nor hangs up: we do, and the line is free", async () => {
    const { caller, clock, run, callId } = await calling();
    run.agent.answerInbound(callId, ["PCMA"]);
    caller.send("CANCEL", CANCEL);
    await caller.answered("CANCEL", 200);
    await clock.advance(40_000);
    expect(await run.ended(callId)).toMatchObject({ by: "network", outcome: "infrastructure_error" });
    await until(() => caller.requests("BYE").length > 0);
    expect(run.agent.trunkStates()[0]!.activeCalls).toBe(0);
  });

  test("a call that we do not have: 481, with a tag as every answer", async () => {
    const { caller, run } = await calling();
    caller.send("CANCEL", { branch: "z9hG4bKnobody", cseq: 7 });
    expect(tagOf(await caller.answered("CANCEL", 481))).toBeDefined();
    expect(run.endings.size).toBe(0);
  });
});

describe("every line is in use:", () => {
  test("one more gets 486 at once, is counted, and disturbs no call; the next takes the freed line", async () => {
    const { caller, run, callId } = await calling(1);
    run.agent.answerInbound(callId, ["PCMA"]);
    await caller.answered("INVITE", 200);
    caller.send("ACK");
    await run.heard(`${callId} answered`);
    caller.send("INVITE", second);
    await until(() => toSecond(caller.answers("INVITE")).length > 0);
    expect(toSecond(caller.answers("INVITE"))).toEqual([486]);
    expect(run.agent.counters()).toMatchObject({ refusedBusy: 1, openCalls: 1 });
    expect(run.inbound).toHaveLength(1);
    caller.send("BYE", { cseq: 2, toTag: tagOf(caller.answers("INVITE").find((one) => statusOf(one) === 200)!)! });
    await run.ended(callId);
    caller.send("INVITE", { ...second, callId: "third", branch: "z9hG4bKthird" });
    await until(() => run.inbound.length === 2);
  });

  test("whom we have no line for by our own count is counted with them", async () => {
    const { caller, run, callId } = await calling();
    run.agent.rejectInbound(callId, 486);
    await caller.answered("INVITE", 486);
    expect(run.agent.counters().refusedBusy).toBe(1);
  });
});
