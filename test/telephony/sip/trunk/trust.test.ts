// Trust boundaries of a trunk: its secret goes to its own host only, and no other trunk controls its calls.
import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "../call/agent-under-test.ts";
import { friendly, type Heard, methodsOf, reply, SDP, udpPeer, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

const ACCOUNT = { username: "ward", secret: "s3cret" };
const EVERYWHERE = { bind: { address: "0.0.0.0", port: 0 } };

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

async function peerWith(answer: (request: Heard, peer: UdpPeer) => string | null, address = "127.0.0.1") {
  const peer = await udpPeer(answer, address);
  peers.push(peer);
  return peer;
}

const challenge = (realm: string, nonce: string) =>
  `WWW-Authenticate: Digest realm="${realm}", nonce="${nonce}", algorithm=MD5, qop="auth"`;
const isSigned = ({ text }: Heard) => /^(proxy-)?authorization:/im.test(text);

/** Asks for the password once, then answers with these headers. */
async function challengingTrunk(headersOf: () => string[]): Promise<UdpPeer> {
  return peerWith((request, { port }) => {
    if (request.method === "INVITE" && !isSigned(request)) {
      return reply(request, "401 Unauthorized", { headers: [challenge("pbx", "one")] });
    }
    if (request.method !== "INVITE") return friendly(request, `sip:peer@127.0.0.1:${port}`);
    return reply(request, "200 OK", { headers: headersOf(), body: SDP });
  });
}

describe("the secret stays with the trunk:", () => {
  test.each([
    ["a Contact", (port: number) => [`Contact: <sip:peer@127.0.0.3:${port}>`]],
    ["a route", (port: number) => [`Contact: <sip:peer@127.0.0.1:5060>`, `Record-Route: <sip:127.0.0.3:${port};lr>`]],
  ])("%s that names a stranger gets no digest, even where it asks for one", async (_, headersOf) => {
    const stranger = await peerWith(
      (request) =>
        request.method === "ACK" ? null : reply(request, "401 Unauthorized", { headers: [challenge("pbx", "mine")] }),
      "127.0.0.3",
    );
    const trunk = await challengingTrunk(() => headersOf(stranger.port));
    const run = await startAgent([trunkAt(trunk.port, ACCOUNT)], EVERYWHERE);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await run.ended();
    expect(trunk.heard.filter(isSigned).map(({ method }) => method)).toEqual(["INVITE"]);
    expect(methodsOf(stranger)).toEqual(["ACK", "BYE"]);
    expect(stranger.heard.filter(isSigned)).toEqual([]);
  });

  test("a trunk that suddenly asks in another name is refused, and the advice says what to do", async () => {
    let realm = "pbx";
    let nonces = 0;
    const trunk = await peerWith((request, { port }) => {
      if (request.method !== "INVITE" || request.text.includes(`realm="${realm}"`)) {
        return friendly(request, `sip:peer@127.0.0.1:${port}`);
      }
      return reply(request, "401 Unauthorized", { headers: [challenge(realm, `n${++nonces}`)] });
    });
    const run = await startAgent([trunkAt(trunk.port, ACCOUNT)]);
    run.invite({ callId: "a" });
    await run.heard("a answered");
    realm = "elsewhere";
    run.invite({ callId: "b" });
    const { outcome, message } = await run.ended("b");
    expect(outcome).toBe("carrier_error");
    expect(message).toContain("realm");
    expect(message).toContain("off and on");
    expect(trunk.heard.filter(({ text }) => text.includes('realm="elsewhere"'))).toEqual([]);
    realm = "pbx";
    run.invite({ callId: "c" });
    await run.heard("c answered");
  });
});

/** The tags and the branch that only this call's trunk has seen, sent by another host. */
function inside(
  method: string,
  invite: Heard,
  options: { via: string; branch?: string; cseq?: number; body?: string },
) {
  const { via, branch = `z9hG4bK${method}`, cseq = 1, body = "" } = options;
  const type = method === "INFO" ? "application/dtmf-relay" : "application/sdp";
  return [
    `${method} sip:ringward@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP ${via};branch=${branch};rport`,
    `From: ${invite.header("to")};tag=peer`,
    `To: ${invite.header("from")}`,
    `Call-ID: ${invite.header("call-id")}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:thief@${via}>`,
    ...(body === "" ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

describe("a call belongs to its trunk:", () => {
  const NEIGHBOUR = "127.0.0.2";
  let neighbour: UdpPeer;

  async function twoTrunks(answer: (request: Heard, peer: UdpPeer) => string | null) {
    const trunk = await peerWith(answer);
    neighbour = await peerWith((request, { port }) => friendly(request, `sip:n@${NEIGHBOUR}:${port}`), NEIGHBOUR);
    const theirs = trunkAt(neighbour.port, { id: "theirs", host: NEIGHBOUR });
    const run = await startAgent([trunkAt(trunk.port), theirs], EVERYWHERE);
    return { trunk, run };
  }

  /** From the neighbour's own port, to where we listen. */
  const sends = (run: AgentUnderTest, text: string) => neighbour.sendTo(text, run.agent.port, "127.0.0.1");
  const statuses = () => neighbour.heard.map(({ text }) => /^SIP\/2\.0 (\d+)/.exec(text)?.[1]).filter(Boolean);

  test.each([
    ["BYE", ""],
    ["INVITE", SDP.replaceAll("127.0.0.1", "127.0.0.2")],
    ["UPDATE", SDP.replaceAll("127.0.0.1", "127.0.0.2")],
    ["INFO", "Signal=1\r\nDuration=160\r\n"],
    ["NOTIFY", ""],
    ["PRACK", ""],
  ])("%s of another trunk that knows its tags is refused, and nothing has happened", async (method, body) => {
    const { trunk, run } = await twoTrunks((request, { port }) => friendly(request, `sip:peer@127.0.0.1:${port}`));
    run.invite();
    await run.heard("call_1 answered");
    const invite = trunk.heard.find((request) => request.method === "INVITE")!;
    const ladder = run.ladder.length;
    sends(run, inside(method, invite, { via: `${NEIGHBOUR}:${neighbour.port}`, body }));
    await until(() => statuses().length > 0);
    expect(statuses()).toEqual(["481"]);
    expect(run.events).toEqual(["call_1 answered"]);
    expect(run.negotiated).toHaveLength(1);
    // Nor does it stand in the ladder of a call that may be another organisation's.
    expect(run.ladder).toHaveLength(ladder);
    run.agent.hangUp("call_1");
    await run.ended();
    expect(trunk.heard.at(-1)!.method).toBe("BYE");
  });

  test("an answer of another trunk that knows the branch is not ours", async () => {
    const { trunk, run } = await twoTrunks((request) =>
      request.method === "INVITE" ? reply(request, "180 Ringing") : friendly(request, ""),
    );
    run.invite();
    await run.heard("call_1 ringing");
    const invite = trunk.heard.find((request) => request.method === "INVITE")!;
    sends(run, reply(invite, "486 Busy Here"));
    sends(run, reply(invite, "200 OK", { headers: [`Contact: <sip:x@${NEIGHBOUR}>`], body: SDP, tag: "thief" }));
    // What it asks afterwards is answered after those were read.
    const asked = inside("OPTIONS", invite, { via: `${NEIGHBOUR}:${neighbour.port}` });
    sends(run, asked.replace(/^To: .*$/m, "To: <sip:ringward@127.0.0.1>").replace(/^Call-ID: .*$/m, "Call-ID: other"));
    await until(() => statuses().length > 0);
    expect(run.events).toEqual(["call_1 trying", "call_1 ringing"]);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "interrupted" });
    expect(statuses()).toEqual(["200"]);
  });

  test("a call that the trunk makes over another transport than ours goes on over that one", async () => {
    const trunk = await peerWith(() => null);
    const run = await startAgent([trunkAt(trunk.port, { transport: "tcp" })]);
    const caller = (method: string, tag = "") =>
      [
        `${method} sip:+911140001000@127.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${trunk.port};branch=z9hG4bK${method};rport`,
        "From: <sip:+919800000001@127.0.0.1>;tag=caller",
        `To: <sip:+911140001000@127.0.0.1>${tag}`,
        "Call-ID: mixed",
        `CSeq: ${method === "BYE" ? 2 : 1} ${method}`,
        `Contact: <sip:peer@127.0.0.1:${trunk.port}>`,
        ...(method === "INVITE"
          ? ["Content-Type: application/sdp", `Content-Length: ${SDP.length}`, "", SDP]
          : ["", ""]),
      ].join("\r\n");
    trunk.send(caller("INVITE"), run.agent.port);
    await until(() => run.inbound.length === 1);
    const { callId } = run.inbound[0]!;
    run.agent.answerInbound(callId, ["PCMA"]);
    await until(() => trunk.heard.some(({ text }) => text.startsWith("SIP/2.0 200")));
    const tag = /^To:.*?(;tag=\S+)/im.exec(trunk.heard.at(-1)!.text)![1]!;
    trunk.send(caller("ACK", tag), run.agent.port);
    await run.heard(`${callId} answered`);
    trunk.send(caller("BYE", tag), run.agent.port);
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
  });

  test("a call that rings at us is not cancelled by another trunk, nor by a CANCEL of its own with our call's name", async () => {
    const { trunk, run } = await twoTrunks(() => null);
    const via = `127.0.0.1:${trunk.port}`;
    const ring = (callId: string, from: string, branch: string, method = "INVITE") =>
      [
        `${method} sip:+911140001000@127.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/UDP ${from};branch=${branch};rport`,
        "From: <sip:+919800000001@127.0.0.1>;tag=caller",
        "To: <sip:+911140001000@127.0.0.1>",
        `Call-ID: ${callId}`,
        `CSeq: 1 ${method}`,
        `Contact: <sip:peer@${from}>`,
        ...(method === "INVITE"
          ? ["Content-Type: application/sdp", `Content-Length: ${SDP.length}`, "", SDP]
          : ["", ""]),
      ].join("\r\n");
    trunk.sendTo(ring("ours", via, "z9hG4bKours"), run.agent.port, "127.0.0.1");
    await until(() => run.inbound.length === 1);
    sends(run, ring("ours", via, "z9hG4bKours", "CANCEL"));
    const theirVia = `${NEIGHBOUR}:${neighbour.port}`;
    sends(run, ring("theirs", theirVia, "z9hG4bKtheirs"));
    await until(() => run.inbound.length === 2);
    sends(run, ring("ours", theirVia, "z9hG4bKtheirs", "CANCEL"));
    await until(() => run.endings.size > 0);
    const [mine, theirs] = run.inbound;
    expect([...run.endings.keys()]).toEqual([theirs!.callId]);
    run.agent.rejectInbound(mine!.callId, 486);
    expect(await run.ended(mine!.callId)).toMatchObject({ sipCode: 486 });
  });
});
