// Reliable provisional responses (RFC 3262): received from a trunk, and sent when a caller requires them.
import { afterEach, describe, expect, test } from "bun:test";
import { createManualClock } from "../../../support/manual-clock.ts";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "./agent-under-test.ts";
import { hangUpCallersAfterEach, scriptedCaller } from "./scripted-caller.ts";
import { friendly, reply, SDP, udpPeer, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();
hangUpCallersAfterEach();

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

async function peerWith(answer: (request: Heard, peer: UdpPeer, fromPort: number) => string | null) {
  const peer = await udpPeer(answer);
  peers.push(peer);
  return peer;
}

const reliably = (peer: UdpPeer, rseq: number) => [
  `Contact: <sip:peer@127.0.0.1:${peer.port}>`,
  "Require: 100rel",
  `RSeq: ${rseq}`,
];
const racks = (peer: UdpPeer) =>
  peer.heard
    .filter(({ method }) => method === "PRACK")
    .map((prack) => `${prack.header("cseq")}: ${prack.header("rack")}`);
const sent = (run: AgentUnderTest, start: string) =>
  run.ladder.filter(({ direction, firstLine }) => direction === "sent" && firstLine.startsWith(start)).length;

describe("a trunk that confirms its ringing:", () => {
  /** What it rings with is the test's; everything but INVITE is answered. */
  async function ringing() {
    const peer = await peerWith((request) => (request.method === "INVITE" ? null : friendly(request, "")));
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite();
    await until(() => peer.heard.length > 0);
    const invite = peer.heard[0]!;
    const say = (status: string, options: Parameters<typeof reply>[2] = {}) =>
      peer.send(reply(invite, status, options), run.agent.port);
    return { peer, run, say };
  }

  test("one that takes no call without 100rel is told that we have it", async () => {
    const peer = await peerWith((request, { port }) =>
      request.method === "INVITE" && !request.header("supported").includes("100rel")
        ? reply(request, "421 Extension Required", { headers: ["Require: 100rel"] })
        : friendly(request, `sip:peer@127.0.0.1:${port}`),
    );
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite();
    await run.heard("call_1 answered");
    expect(peer.heard[0]!.header("allow")).toContain("PRACK");
  });

  test("each is confirmed once, in its order; repeated ones and those that come too early are left alone", async () => {
    const { peer, run, say } = await ringing();
    // Ten digits, as the RFC allows them.
    const first = 2_147_483_640;
    const headers = (rseq: number) => ({ headers: reliably(peer, rseq) });
    say("180 Ringing", headers(first));
    await until(() => racks(peer).length === 1);
    say("180 Ringing", headers(first));
    // It brings sound, and is not to be heard before the one between them.
    say("183 Session Progress", { headers: reliably(peer, first + 2), body: SDP });
    say("182 Queued", headers(first + 1));
    await until(() => racks(peer).length === 2);
    expect(run.events).not.toContain("call_1 ringing early");
    say("183 Session Progress", { headers: reliably(peer, first + 2), body: SDP });
    await run.heard("call_1 ringing early");
    say("180 Ringing", headers(first));
    say("200 OK", { headers: [`Contact: <sip:peer@127.0.0.1:${peer.port}>`] });
    await run.heard("call_1 answered");
    await until(() => peer.heard.some(({ method }) => method === "ACK"));
    expect(racks(peer)).toEqual([
      `2 PRACK: ${first} 1 INVITE`,
      `3 PRACK: ${first + 1} 1 INVITE`,
      `4 PRACK: ${first + 2} 1 INVITE`,
    ]);
    run.agent.hangUp("call_1");
    await run.ended();
    expect(peer.heard.at(-1)!.header("cseq")).toBe("5 BYE");
  });

  test("two telephones ring: the one that answers is heard as its own 183 said", async () => {
    const { peer, run, say } = await ringing();
    const ports = [41_002, 41_004];
    for (const [i, port] of ports.entries()) {
      say("183 Session Progress", {
        headers: reliably(peer, 7),
        body: SDP.replace(/m=audio \d+/, `m=audio ${port}`),
        tag: `phone${i}`,
      });
    }
    await until(() => racks(peer).length === 2);
    say("200 OK", { headers: [`Contact: <sip:peer@127.0.0.1:${peer.port}>`], tag: "phone1" });
    await run.heard("call_1 answered");
    expect(run.negotiated.map(({ port }) => port)).toEqual(ports);
  });

  test("PRACK goes where the early dialog leads, and a trunk that floods with ringings is confirmed only so often", async () => {
    const { peer, run, say } = await ringing();
    const elsewhere = await peerWith((request) => friendly(request, ""));
    for (let rseq = 1; rseq <= 300; rseq++) {
      say("180 Ringing", { headers: reliably(elsewhere, rseq) });
      if (rseq % 20 === 0) await until(() => racks(elsewhere).length >= Math.min(rseq, 100));
    }
    say("200 OK", { headers: [`Contact: <sip:peer@127.0.0.1:${peer.port}>`], body: SDP });
    await run.heard("call_1 answered");
    expect(peer.heard.some(({ method }) => method === "PRACK")).toBeFalse();
    expect(new Set(racks(elsewhere)).size).toBe(100);
  });
});

describe("a caller that demands it:", () => {
  async function calling(headers: string[], body?: string) {
    const caller = await scriptedCaller();
    const clock = createManualClock();
    const run = await startAgent([trunkAt(caller.peer.port)], { clock });
    caller.callAt(run.agent.port);
    caller.invite(headers, body);
    await until(() => run.inbound.length === 1);
    return { caller, clock, run, callId: run.inbound[0]!.callId };
  }

  const prack = (rack: string) => ({ cseq: 2, headers: [`RAck: ${rack}`] });

  test("our ringing is repeated until its PRACK comes, and then the call goes on", async () => {
    const { caller, clock, run, callId } = await calling(["Require: 100rel"]);
    const ringing = await caller.answered("INVITE", 180);
    expect(ringing.header("require")).toBe("100rel");
    const rseq = ringing.header("rseq");
    expect(Number(rseq)).toBeGreaterThan(0);
    await clock.advance(2_000);
    expect(sent(run, "SIP/2.0 180")).toBe(3);
    caller.send("PRACK", prack(`${rseq} 1 INVITE`));
    await caller.answered("PRACK", 200);
    await clock.advance(20_000);
    expect(sent(run, "SIP/2.0 180")).toBe(3);
    run.agent.answerInbound(callId, ["PCMA"]);
    await caller.answered("INVITE", 200);
    caller.send("ACK");
    await run.heard(`${callId} answered`);
    caller.send("BYE", { cseq: 3 });
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
  });

  test.each(["9 1 INVITE", "1 2 INVITE", "1 1 BYE", "nonsense", ""])(
    "a PRACK for something else (%p) is refused, and ours is repeated further",
    async (rack) => {
      const { caller, clock, run } = await calling(["Require: 100rel"]);
      await caller.answered("INVITE", 180);
      caller.send("PRACK", prack(rack));
      await caller.answered("PRACK", 481);
      await clock.advance(600);
      expect(sent(run, "SIP/2.0 180")).toBe(2);
    },
  );

  test("we answer before the PRACK is here: nothing is repeated, and the PRACK is taken all the same", async () => {
    const { caller, clock, run, callId } = await calling(["Require: 100rel"]);
    const rseq = (await caller.answered("INVITE", 180)).header("rseq");
    run.agent.answerInbound(callId, ["PCMA"]);
    await caller.answered("INVITE", 200);
    caller.send("PRACK", prack(`${rseq} 1 INVITE`));
    await caller.answered("PRACK", 200);
    caller.send("ACK");
    await run.heard(`${callId} answered`);
    await clock.advance(60_000);
    expect(sent(run, "SIP/2.0 180")).toBe(1);
    expect(run.endings.size).toBe(0);
    // A second one confirms nothing any more.
    caller.send("PRACK", { ...prack(`${rseq} 1 INVITE`), cseq: 3 });
    await caller.answered("PRACK", 481);
    caller.send("BYE", { cseq: 4 });
    await run.ended(callId);
  });

  test("it never confirms: the call is refused, and its line is free", async () => {
    const { caller, clock, run, callId } = await calling(["Require: 100rel"]);
    await caller.answered("INVITE", 180);
    await clock.advance(33_000);
    expect(await run.ended(callId)).toMatchObject({ by: "network", outcome: "infrastructure_error" });
    await caller.answered("INVITE", 500);
    expect(run.agent.trunkStates()[0]!.activeCalls).toBe(0);
  });

  test("it gives up before it confirmed: 487, and nothing is repeated", async () => {
    const { caller, clock, run, callId } = await calling(["Require: 100rel"]);
    await caller.answered("INVITE", 180);
    caller.send("CANCEL", { branch: "z9hG4bKscriptedINVITE1" });
    await caller.answered("INVITE", 487);
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: "no_answer" });
    await clock.advance(40_000);
    expect(sent(run, "SIP/2.0 180")).toBe(1);
  });

  test("without an offer of its own it hears no ringing, since that would have to bring ours: it is answered at once", async () => {
    const { caller, run, callId } = await calling(["Require: 100rel"], "");
    run.agent.answerInbound(callId, ["PCMA"]);
    const answer = await caller.answered("INVITE", 200);
    expect(answer.text).toContain("m=audio");
    expect(sent(run, "SIP/2.0 18")).toBe(0);
    caller.send("ACK", { body: SDP });
    await run.heard(`${callId} answered`);
    caller.send("BYE", { cseq: 2 });
    await run.ended(callId);
  });

  test("one that only can do it gets plain ringing, and a PRACK of its own is refused", async () => {
    const { caller, clock, run } = await calling(["Supported: 100rel"]);
    const ringing = await caller.answered("INVITE", 180);
    expect(ringing.header("rseq")).toBe("");
    caller.send("PRACK", prack("1 1 INVITE"));
    await caller.answered("PRACK", 481);
    await clock.advance(20_000);
    expect(sent(run, "SIP/2.0 180")).toBe(1);
  });

  test("an offer inside the early call is to come again later, and does not end it", async () => {
    const { caller, run } = await calling(["Require: 100rel"]);
    await caller.answered("INVITE", 180);
    caller.send("UPDATE", { cseq: 2, body: SDP });
    expect((await caller.answered("UPDATE", 500)).header("retry-after")).toBe("2");
    expect(run.endings.size).toBe(0);
  });
});
