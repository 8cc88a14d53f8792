// Calls over IPv6: how addresses are written in SIP and SDP, over every transport, and beside IPv4 on one socket.
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { freeSipPort } from "../../../support/free-ports.ts";
import { bringIpv6Loopback } from "../../../support/ipv6.ts";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { until } from "../../../support/until.ts";
import type { UserAgentOptions } from "../../../../src/telephony/sip/call/user-agent.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { dnsLeadingTo } from "../trunk/scripted-dns.ts";
import { friendly, type Heard, methodsOf, reply, SDP, udpPeer, type UdpPeer } from "./scripted-peer.ts";
import { closeTlsPeersAfterEach, tlsPeer } from "./tls-peer.ts";

stopAgentsAfterEach();
closeTlsPeersAfterEach();
beforeAll(bringIpv6Loopback);

const SDP6 = SDP.replaceAll("IN IP4 127.0.0.1", "IN IP6 0:0:0:0:0:0:0:1");
const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

async function peerAt(address: string, answer?: (request: Heard, peer: UdpPeer) => string | null): Promise<UdpPeer> {
  const host = address.includes(":") ? `[${address}]` : address;
  const sdp = address.includes(":") ? SDP6 : SDP;
  const peer = await udpPeer(
    answer ?? ((request, { port }) => friendly(request, `sip:peer@${host}:${port}`, sdp)),
    address,
  );
  peers.push(peer);
  return peer;
}

/** Bound to this address, and so is the media. */
const on = (address: string): Partial<UserAgentOptions> & { told: string[] } => {
  const told: string[] = [];
  return {
    told,
    bind: { address, port: freeSipPort() },
    makeMedia: () => ({
      localAddress: address,
      localPort: 40_000,
      negotiated: (remote) => told.push(`${remote.address} from ${remote.trunkAddresses.join(" ")}`),
    }),
  };
};

const methods = methodsOf;

describe("a call over IPv6", () => {
  test("is made over UDP to a trunk whose address is written at length: brackets in SIP, IP6 in SDP", async () => {
    const peer = await peerAt("::1");
    const means = on("::1");
    const run = await startAgent([trunkAt(peer.port, { host: "0:0:0:0:0:0:0:1" })], means);
    run.invite();
    await run.heard("call_1 answered");
    const invite = peer.heard[0]!;
    const us = `[::1]:${run.agent.port}`;
    expect(invite.header("via")).toStartWith(`SIP/2.0/UDP ${us};`);
    expect(invite.header("contact")).toBe(`<sip:ringward@${us}>`);
    expect(invite.text).toMatch(/^c=IN IP6 ::1\r$/m);
    expect(invite.text).toMatch(/^o=ringward \d+ 1 IN IP6 ::1\r$/m);
    expect(means.told).toEqual(["0:0:0:0:0:0:0:1 from ::1"]);
    expect(run.ladder[0]!.peer).toBe(`udp [::1]:${peer.port}`);
    expect(run.agent.trunkStates()[0]!.address).toBe(`[::1]:${peer.port}`);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    expect(methods(peer)).toEqual(["INVITE", "ACK", "BYE"]);
    expect(peer.heard[2]!.text).toStartWith(`BYE sip:peer@[::1]:${peer.port} SIP/2.0`);
  });

  test("is registered and called: the trunk finds us at the address that it sees, with brackets or without", async () => {
    for (const received of ["2001:db8::77", "[2001:DB8:0::77]"]) {
      const peer = await peerAt("::1", (request) =>
        reply(request, "200 OK").replace(";rport", `;received=${received};rport=5099`),
      );
      const account = { register: true, username: "ward", secret: "s" };
      const run = await startAgent([trunkAt(peer.port, { host: "::1", ...account })], on("::1"));
      await until(() => peer.heard.length >= 2 && run.agent.trunkStates()[0]!.isRegistered === true);
      expect(peer.heard[0]!.text).toStartWith("REGISTER sip:[::1] SIP/2.0");
      expect(peer.heard[1]!.header("contact")).toBe("<sip:ward@[2001:db8::77]:5099>");
    }
  });

  test("comes in, is answered, and is hung up by the caller", async () => {
    const peer = await peerAt("::1", () => null);
    const run = await startAgent([trunkAt(peer.port, { host: "::1" })], on("::1"));
    const request = (method: string, tag = "") =>
      [
        `${method} sip:+911140001000@[::1]:${run.agent.port} SIP/2.0`,
        `Via: SIP/2.0/UDP [0:0::1]:${peer.port};branch=z9hG4bK${method};rport`,
        "From: <sip:+919800000001@[::1]>;tag=caller",
        `To: <sip:+911140001000@[::1]>${tag}`,
        "Call-ID: six",
        `CSeq: ${method === "BYE" ? 2 : 1} ${method}`,
        `Contact: <sip:peer@[::1]:${peer.port}>`,
        ...(method === "INVITE"
          ? ["Content-Type: application/sdp", `Content-Length: ${SDP6.length}`, "", SDP6]
          : ["", ""]),
      ].join("\r\n");
    peer.send(request("INVITE"), run.agent.port);
    await until(() => run.inbound.length === 1);
    const { callId } = run.inbound[0]!;
    run.agent.answerInbound(callId, ["PCMA"]);
    await until(() => peer.heard.some(({ text }) => text.startsWith("SIP/2.0 200")));
    const answer = peer.heard.at(-1)!;
    expect(answer.header("via")).toContain(";received=::1");
    expect(answer.text).toMatch(/^c=IN IP6 ::1\r$/m);
    const tag = /^To:.*?(;tag=\S+)/im.exec(answer.text)![1]!;
    peer.send(request("ACK", tag), run.agent.port);
    await run.heard(`${callId} answered`);
    peer.send(request("BYE", tag), run.agent.port);
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
  });

  test("is made over TLS, by address or by a name with an AAAA record; the certificate carries either", async () => {
    const ca = createPrivateCa();
    for (const host of ["::1", "sip.trunk.example"]) {
      const peer = await tlsPeer(ca.issue([host]), (one) => friendly(one, "sip:peer@[::1]", SDP6), "::1");
      const settings = trunkAt(peer.port, { host, transport: "tls", caPem: ca.caPem });
      const run = await startAgent([settings], { ...on("::1"), resolver: dnsLeadingTo("::1") });
      run.invite();
      await run.heard("call_1 answered");
      expect(peer.heard[0]!.header("via")).toStartWith("SIP/2.0/TLS [::1]:");
      run.agent.hangUp("call_1");
      await run.ended();
    }
  });
});

describe('on "::"', () => {
  test("a trunk of each version is called at once, and each is told the address of its own", async () => {
    const [four, six] = [await peerAt("127.0.0.1"), await peerAt("::1")];
    const trunks = [trunkAt(four.port, { id: "four" }), trunkAt(six.port, { id: "six", host: "::1" })];
    const means = on("::");
    const run = await startAgent(trunks, means);
    run.invite({ callId: "call_4", trunkId: "four" });
    run.invite({ callId: "call_6", trunkId: "six" });
    await run.heard("call_4 answered");
    await run.heard("call_6 answered");
    expect(four.heard[0]!.text).toMatch(/^c=IN IP4 127\.0\.0\.1\r$/m);
    expect(four.heard[0]!.header("contact")).toBe(`<sip:ringward@127.0.0.1:${run.agent.port}>`);
    expect(six.heard[0]!.text).toMatch(/^c=IN IP6 ::1\r$/m);
    expect(six.heard[0]!.header("contact")).toBe(`<sip:ringward@[::1]:${run.agent.port}>`);
    expect(means.told.toSorted()).toEqual(["0:0:0:0:0:0:0:1 from ::1", "127.0.0.1 from 127.0.0.1"]);
    for (const callId of ["call_4", "call_6"]) {
      run.agent.hangUp(callId);
      expect(await run.ended(callId)).toMatchObject({ by: "us", outcome: null });
    }
  });

  test("the external address is told to trunks of its own version alone", async () => {
    const [four, six] = [await peerAt("127.0.0.1"), await peerAt("::1")];
    const trunks = [trunkAt(four.port, { id: "four" }), trunkAt(six.port, { id: "six", host: "::1" })];
    const run = await startAgent(trunks, { ...on("::"), externalAddress: "198.51.100.7" });
    run.invite({ callId: "call_4", trunkId: "four" });
    run.invite({ callId: "call_6", trunkId: "six" });
    await run.heard("call_4 answered");
    await run.heard("call_6 answered");
    expect(four.heard[0]!.text).toMatch(/^c=IN IP4 198\.51\.100\.7\r$/m);
    expect(four.heard[0]!.header("contact")).toContain("198.51.100.7");
    expect(six.heard[0]!.text).toMatch(/^c=IN IP6 ::1\r$/m);
    expect(six.heard[0]!.header("contact")).toContain("[::1]");
  });

  test("a host of one version that is away gives way to one of the other, and the call's SDP with it", async () => {
    const silent = await peerAt("127.0.0.1", () => null);
    const six = await udpPeer(
      (request, { port }) => friendly(request, `sip:peer@[::1]:${port}`, SDP6),
      "::1",
      silent.port,
    );
    peers.push(six);
    const resolver = dnsLeadingTo("127.0.0.1", "::1");
    const run = await startAgent([trunkAt(silent.port, { host: "trunk.example" })], {
      ...on("::"),
      resolver,
      clock: fasterClock(20),
    });
    run.invite();
    await run.heard("call_1 answered");
    expect(silent.heard[0]!.text).toMatch(/^c=IN IP4 127\.0\.0\.1\r$/m);
    expect(six.heard[0]!.text).toMatch(/^c=IN IP6 ::1\r$/m);
    expect(six.heard[0]!.header("contact")).toBe(`<sip:ringward@[::1]:${run.agent.port}>`);
  });
});

describe("where we listen on IPv4 alone,", () => {
  test("a trunk with IPv6 alone is down, and its state says which setting to change", async () => {
    const run = await startAgent([trunkAt(5060, { host: "2001:db8::1" })], on("127.0.0.1"));
    expect(run.agent.trunkStates()[0]).toMatchObject({ state: "down", address: null });
    expect(run.agent.trunkStates()[0]!.lastError).toContain('telephony.sip.address; "::" listens on both');
  });

  test("audio that is to go to IPv6 is refused with a reason, not lost on the way", async () => {
    const peer = await peerAt("127.0.0.1", (request, { port }) =>
      friendly(request, `sip:peer@127.0.0.1:${port}`, SDP6),
    );
    const means = on("127.0.0.1");
    const run = await startAgent([trunkAt(peer.port)], means);
    run.invite();
    const ending = await run.ended();
    expect(ending).toMatchObject({ by: "us", outcome: "carrier_error" });
    expect(ending.message).toContain("IPv6");
    expect(means.told).toEqual([]);
  });
});
