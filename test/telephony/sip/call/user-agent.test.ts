// The user agent against a scripted peer: cases that SIPp cannot produce, and our own limits.
import { afterEach, describe, expect, test } from "bun:test";
import { createTrunkRefusal } from "../../../../src/trunks/trunk-addresses.ts";
import { freeSipPort } from "../../../support/free-ports.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { until } from "../../../support/until.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "./agent-under-test.ts";
import { dnsLeadingTo } from "../trunk/scripted-dns.ts";
import {
  friendly,
  type Heard,
  isRightDigest,
  methodsOf,
  reply,
  SDP,
  udpPeer,
  type UdpPeer,
} from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

async function peerWith(answer: (request: Heard, peer: UdpPeer, fromPort: number) => string | null, address?: string) {
  const peer = await udpPeer(answer, address);
  peers.push(peer);
  return peer;
}

const friend = (address?: string) =>
  peerWith((request, { port }) => friendly(request, `sip:peer@${address ?? "127.0.0.1"}:${port}`), address);

describe("digest with SHA-256:", () => {
  const challenge = (nonce: string, algorithm: string) =>
    `Proxy-Authenticate: Digest realm="trunk", nonce="${nonce}", algorithm=${algorithm}, qop="auth,auth-int"`;

  test("the stronger of two challenges is answered, ACK carries it too, and the next call need not be refused first", async () => {
    const peer = await peerWith((request, { port }) => {
      const given = request.header("proxy-authorization");
      if (request.method === "INVITE" && !isRightDigest(given, "INVITE", "s3cret")) {
        const headers = [challenge("weak", "MD5"), challenge("strong", "SHA-256")];
        return reply(request, "407 Proxy Authentication Required", { headers });
      }
      return friendly(request, `sip:peer@127.0.0.1:${port}`);
    });
    const run = await startAgent([trunkAt(peer.port, { username: "ward", secret: "s3cret" })]);
    run.invite();
    await run.heard("call_1 answered");
    run.invite({ callId: "call_2" });
    await run.heard("call_2 answered");
    const invites = peer.heard.filter(({ method }) => method === "INVITE");
    expect(invites.map((invite) => /nc=(\w+)/.exec(invite.text)?.[1])).toEqual([undefined, "00000001", "00000002"]);
    expect(peer.heard.find(({ method, text }) => method === "ACK" && text.includes("algorithm=SHA-256"))).toBeDefined();
  });
});

describe("where requests go:", () => {
  test("to the Contact's own address, whose requests are then heard inside the call", async () => {
    const media = await peerWith((request) => friendly(request, ""), "127.0.0.3");
    const peer = await peerWith((request) => friendly(request, `sip:peer@127.0.0.3:${media.port}`));
    const run = await startAgent([trunkAt(peer.port)], { bind: { address: "0.0.0.0", port: 0 } });
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await run.ended();
    expect(methodsOf(media)).toEqual(["ACK", "BYE"]);
    expect(media.heard[0]!.header("via")).toContain(`127.0.0.1:${run.agent.port}`);
  });

  test("a Contact with a name is reached by the way that the call came", async () => {
    const peer = await peerWith((request) => friendly(request, "sip:peer@inside.trunk.example"));
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await run.ended();
    expect(methodsOf(peer)).toEqual(["INVITE", "ACK", "BYE"]);
  });

  test("IPv6", async () => {
    const peer = await peerWith((request, { port }) => friendly(request, `sip:peer@[::1]:${port}`), "::1");
    const run = await startAgent([trunkAt(peer.port, { host: "::1" })], { bind: { address: "::", port: 0 } });
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    expect(peer.heard[0]!.text).toStartWith(`INVITE sip:+919800000001@[::1]:${peer.port} SIP/2.0`);
    expect(peer.heard[0]!.header("contact")).toBe(`<sip:ringward@[::1]:${run.agent.port}>`);
  });

  test("behind a NAT, Contact and SDP say the address that the configuration names", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port)], { externalAddress: "203.0.113.7" });
    run.invite();
    await run.heard("call_1 answered");
    expect(peer.heard[0]!.header("contact")).toBe(`<sip:ringward@203.0.113.7:${run.agent.port}>`);
    expect(peer.heard[0]!.text).toContain("c=IN IP4 203.0.113.7");
    expect(peer.heard[0]!.header("via")).toContain("127.0.0.1");
  });

  test("without a configured address, Contact says how the trunk sees us", async () => {
    const peer = await peerWith((request, { port }) => {
      const text = friendly(request, `sip:peer@127.0.0.1:${port}`);
      return text?.replace(";rport", ";received=198.51.100.4;rport=40404") ?? null;
    });
    const run = await startAgent([trunkAt(peer.port, { optionsEverySeconds: 25 })]);
    await until(() => run.agent.trunkStates()[0]!.state === "up");
    run.invite();
    await run.heard("call_1 answered");
    const invite = peer.heard.find(({ method }) => method === "INVITE")!;
    expect(invite.header("contact")).toBe("<sip:ringward@198.51.100.4:40404>");
  });
});

describe("odd trunks:", () => {
  test("one that leads to where no trunk may be is down and says why, and is never spoken to", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { optionsEverySeconds: 5 })], { refusal: createTrunkRefusal([]) });
    await until(() => run.agent.trunkStates()[0]!.state === "down");
    expect(run.agent.trunkStates()[0]).toMatchObject({
      lastError:
        "The trunk's address is not allowed: 127.0.0.1 is loopback, which telephony.sip.allow_local does not open.",
      address: null,
    });
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "infrastructure_error", message: "The trunk is down." });
    expect(peer.heard).toEqual([]);
  });

  test("one with a closed port fails a call in the words of a silent one; its own state tells which it was", async () => {
    const run = await startAgent([trunkAt(freeSipPort(), { transport: "tcp" })]);
    await until(() => run.agent.trunkStates()[0]!.address !== null);
    run.invite();
    expect(await run.ended()).toMatchObject({
      outcome: "infrastructure_error",
      message: "The trunk is down.",
    });
    expect(run.agent.trunkStates()[0]!.lastError).toStartWith("The trunk is not reachable: ");
  });

  test("one whose first address is dead is reached at its second", async () => {
    const peer = await friend();
    const resolver = dnsLeadingTo("127.0.0.9", "127.0.0.1");
    const settings = trunkAt(peer.port, { host: "trunk.example", optionsEverySeconds: 25 });
    const run = await startAgent([settings], { resolver, clock: fasterClock(20) });
    await until(() => run.agent.trunkStates()[0]!.state === "up");
    expect(run.agent.trunkStates()[0]).toMatchObject({ address: `127.0.0.1:${peer.port}`, lastError: null });
  });

  test("one that answered OPTIONS and stopped is down, and up again when it answers", async () => {
    let isSilent = false;
    const peer = await peerWith((request) => (isSilent ? null : reply(request, "200 OK")));
    const settings = trunkAt(peer.port, { optionsEverySeconds: 5 });
    const run = await startAgent([settings], { clock: fasterClock(20) });
    await until(() => run.agent.trunkStates()[0]!.state === "up");
    isSilent = true;
    await until(() => run.agent.trunkStates()[0]!.state === "down");
    expect(run.agent.trunkStates()[0]!.lastError).toContain("does not answer OPTIONS");
    isSilent = false;
    await until(() => run.agent.trunkStates()[0]!.state === "up");
    expect(run.trunkStates.map(({ state }) => state)).toEqual(["unknown", "up", "down", "up"]);
  });

  test("one behind a NAT of ours is told our outer address as soon as we know it, and only once", async () => {
    let port = 40_000;
    const peer = await peerWith((request) => {
      port += 1;
      const headers = [`Contact: ${request.header("contact")};expires=600`];
      return reply(request, "200 OK", { headers }).replace(";rport", `;received=198.51.100.4;rport=${port}`);
    });
    const run = await startAgent([trunkAt(peer.port, { register: true, username: "ward", secret: "s" })]);
    await until(() => peer.heard.length >= 2);
    // Its answer to the second has been read once a call after it has come to its end.
    run.invite();
    await run.ended();
    const registrations = peer.heard.filter(({ method }) => method === "REGISTER");
    expect(registrations.map((request) => request.header("contact"))).toEqual([
      `<sip:ward@127.0.0.1:${run.agent.port}>`,
      "<sip:ward@198.51.100.4:40001>",
    ]);
  });

  test("one that never reacts: the call ends at the ring limit as infrastructure_error", async () => {
    const peer = await peerWith(() => null);
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite({ ringTimeoutMs: 200 });
    expect(await run.ended()).toMatchObject({ by: "timeout", outcome: "infrastructure_error", sipCode: null });
  });

  test("one that reacts only after we gave up gets its CANCEL then, and is not asked to ring again meanwhile", async () => {
    const peer = await peerWith(() => null);
    const clock = createManualClock();
    const run = await startAgent([trunkAt(peer.port)], { clock });
    run.invite();
    await until(() => peer.heard.length > 0);
    run.agent.hangUp("call_1");
    await clock.advance(10_000);
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "interrupted" });
    peer.send(reply(peer.heard[0]!, "180 Ringing"), run.agent.port);
    await until(() => peer.heard.some(({ method }) => method === "CANCEL"));
    expect(methodsOf(peer)).toEqual(["INVITE", "CANCEL"]);
  });

  test("one that answers without sound is hung up on", async () => {
    const peer = await peerWith((request, { port }) =>
      request.method === "INVITE"
        ? reply(request, "200 OK", {
            headers: [`Contact: <sip:p@127.0.0.1:${port}>`],
            body: SDP.replace(" 8 101", " 18"),
          })
        : friendly(request, ""),
    );
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite();
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "carrier_error" });
    expect(methodsOf(peer)).toEqual(["INVITE", "ACK", "BYE"]);
    expect(run.events).not.toContain("call_1 answered");
  });

  test("one that wants a session timer of its own measure (422) gets it", async () => {
    const peer = await peerWith((request, { port }) =>
      request.method === "INVITE" && request.header("min-se") !== "300"
        ? reply(request, "422 Session Interval Too Small", { headers: ["Min-SE: 300"] })
        : friendly(request, `sip:peer@127.0.0.1:${port}`),
    );
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite();
    await run.heard("call_1 answered");
    expect(peer.heard.find(({ text }) => text.includes("Session-Expires: 300"))).toBeDefined();
  });
});

describe("our own limits:", () => {
  test("without a media port the call ends before anything is sent, and the line is free", async () => {
    const peer = await friend();
    const makeMedia = () => {
      throw new Error("every port is taken");
    };
    const run = await startAgent([trunkAt(peer.port)], { makeMedia });
    run.invite();
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "infrastructure_error" });
    expect(peer.heard).toEqual([]);
    expect(run.agent.trunkStates()[0]!.activeCalls).toBe(0);
  });

  test("a second attempt under the same id is not ended by what is left of the first", async () => {
    let isOpen = false;
    const peer = await peerWith((request, { port }) =>
      isOpen
        ? friendly(request, `sip:peer@127.0.0.1:${port}`)
        : request.method === "INVITE"
          ? reply(request, "180 Ringing")
          : null,
    );
    const clock = createManualClock();
    const run = await startAgent([trunkAt(peer.port)], { clock });
    run.invite({ ringTimeoutMs: 50 });
    await run.heard("call_1 ringing");
    await until(async () => (await clock.advance(1_000), run.endings.size > 0));
    expect(await run.ended()).toMatchObject({ by: "timeout", outcome: "no_answer" });
    isOpen = true;
    run.endings.clear();
    run.invite();
    await run.heard("call_1 answered");
    // Every timer of the first attempt is over by then.
    await clock.advance(120_000);
    expect(run.endings.size).toBe(0);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  });

  test("a number outside the allowed prefixes, or that is none, never leaves", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { allowedPrefixes: ["+91"] })]);
    run.invite({ callId: "a", to: "+19005550100" });
    run.invite({ callId: "b", to: "+91\r\nX: y" });
    run.invite({ callId: "c", trunkId: "none" });
    const outcomes = await Promise.all(["a", "b", "c"].map(async (callId) => (await run.ended(callId)).outcome));
    expect(outcomes).toEqual(["rejected", "invalid_number", "infrastructure_error"]);
    expect(peer.heard).toEqual([]);
  });

  test("a transfer to a number outside the allowed prefixes is refused here, and the call goes on", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { allowedPrefixes: ["+91"] })]);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.refer("call_1", "+19005550100");
    run.agent.refer("call_1", "x>\r\nEvil: y");
    expect(run.transfers.map(({ state }) => state)).toEqual(["refused", "refused"]);
    expect(peer.heard.some(({ method }) => method === "REFER")).toBeFalse();
    expect(run.endings.size).toBe(0);
  });

  test("a transfer to an extension of the exchange is asked for, whatever the prefixes", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { allowedPrefixes: ["+91"] })]);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.refer("call_1", "201");
    await until(() => peer.heard.some(({ method }) => method === "REFER"));
    const refer = peer.heard.find(({ method }) => method === "REFER");
    expect(refer?.header("refer-to")).toContain("<sip:201@");
  });

  test("a desk is called beside a call by its extension or name, whatever the prefixes; another number is not", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { allowedPrefixes: ["+91"] })]);
    run.invite({ callId: "a", to: "201", isTransfer: true });
    await run.heard("a answered");
    run.invite({ callId: "b", to: "front-desk", isTransfer: true });
    await run.heard("b answered");
    const refused = ["+19005550100", "0019005550100", "9005550100", "front desk", "x\r\nEvil: y"];
    for (const [at, to] of refused.entries()) run.invite({ callId: `refused-${at}`, to, isTransfer: true });
    run.invite({ callId: "ordinary", to: "front-desk" });
    for (const at of refused.keys()) expect((await run.ended(`refused-${at}`)).outcome).not.toBeNull();
    expect((await run.ended("ordinary")).outcome).not.toBeNull();
    expect(peer.heard.filter(({ method }) => method === "INVITE")).toHaveLength(2);
  });

  test("no more calls than lines; a line is free again after its call", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { lines: 1 })]);
    run.invite({ callId: "a" });
    run.invite({ callId: "b" });
    expect(await run.ended("b")).toMatchObject({
      outcome: "infrastructure_error",
      message: "Every line of the trunk is in use.",
    });
    await run.heard("a answered");
    run.agent.hangUp("a");
    await run.ended("a");
    run.invite({ callId: "c" });
    await run.heard("c answered");
  });

  test("a call that is given up while it waits for its turn never leaves", async () => {
    const peer = await friend();
    const clock = createManualClock();
    const run = await startAgent([trunkAt(peer.port, { callsPerSecond: 2 })], { clock });
    run.invite({ callId: "a" });
    run.invite({ callId: "b" });
    run.agent.hangUp("b");
    expect(await run.ended("b")).toMatchObject({ by: "us", outcome: "interrupted" });
    await run.heard("a answered");
    await clock.advance(2_000);
    run.invite({ callId: "c" });
    await run.heard("c answered");
    expect(peer.heard.filter(({ method }) => method === "INVITE")).toHaveLength(2);
  });

  test("a call whose turn comes too late goes back unsent, and a transfer goes out", async () => {
    const peer = await friend();
    const clock = createManualClock();
    const run = await startAgent([trunkAt(peer.port, { callsPerSecond: 0.1 })], { clock });
    run.invite({ callId: "a" });
    run.invite({ callId: "late" });
    run.invite({ callId: "transfer", isTransfer: true });
    await run.heard("a answered");
    await clock.advance(10_000);
    expect(await run.ended("late")).toMatchObject({ by: "us", outcome: "infrastructure_error", putBack: true });
    await clock.advance(10_000);
    await run.heard("transfer answered");
    expect(peer.heard.filter(({ method }) => method === "INVITE")).toHaveLength(2);
  });

  test("a call that waited while the machine was suspended goes back unsent", async () => {
    const peer = await friend();
    const clock = createManualClock();
    const run = await startAgent([trunkAt(peer.port, { callsPerSecond: 1 })], { clock });
    run.invite({ callId: "a" });
    run.invite({ callId: "b" });
    await run.heard("a answered");
    clock.jump(3 * 60 * 60_000);
    await clock.advance(1_000);
    expect(await run.ended("b")).toMatchObject({ by: "us", putBack: true });
  });

  test("a trunk that fails half of its calls rests, and says until when", async () => {
    const peer = await peerWith((request) =>
      request.method === "INVITE" ? reply(request, "503 Service Unavailable") : null,
    );
    const run = await startAgent([trunkAt(peer.port)]);
    for (const callId of ["a", "b", "c", "d"]) {
      run.invite({ callId });
      await run.ended(callId);
    }
    expect(run.agent.trunkStates()[0]!.restingUntilMs).toBeGreaterThan(Date.now());
    expect(run.trunkStates.at(-1)!.restingUntilMs).not.toBeNull();
    run.invite({ callId: "e" });
    expect(await run.ended("e")).toMatchObject({ outcome: "infrastructure_error" });
    expect(peer.heard.filter(({ method }) => method === "INVITE")).toHaveLength(4);
  });
});

describe("changing and stopping:", () => {
  test("a trunk that is taken away keeps its call and takes no more", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port)]);
    run.invite({ callId: "a" });
    await run.heard("a answered");
    run.agent.setTrunks([]);
    run.invite({ callId: "b" });
    expect(await run.ended("b")).toMatchObject({ outcome: "infrastructure_error" });
    run.agent.hangUp("a");
    expect(await run.ended("a")).toMatchObject({ by: "us", outcome: null });
    expect(peer.heard.at(-1)!.method).toBe("BYE");
  });

  test("a registered trunk that is changed during a call stays registered when the call is over", async () => {
    const peer = await friend();
    const account = { register: true, username: "ward", secret: "s" };
    const run = await startAgent([trunkAt(peer.port, account)]);
    const registrations = () => peer.heard.filter(({ method }) => method === "REGISTER");
    await until(() => registrations().length === 1);
    run.invite({ callId: "a" });
    await run.heard("a answered");
    run.agent.setTrunks([trunkAt(peer.port, { ...account, callerId: "+911140001000" })]);
    await until(() => registrations().length === 2);
    run.agent.hangUp("a");
    await run.ended("a");
    run.invite({ callId: "b" });
    await run.heard("b answered");
    expect(registrations().map((request) => request.header("expires"))).toEqual(["120", "120"]);
  });

  test("a registered account that is taken away during a call lets go of it at once", async () => {
    const peer = await friend();
    const run = await startAgent([trunkAt(peer.port, { register: true, username: "ward", secret: "s" })]);
    const registrations = () => peer.heard.filter(({ method }) => method === "REGISTER");
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
    run.invite({ callId: "a" });
    await run.heard("a answered");
    run.agent.setTrunks([]);
    await until(() => registrations().length === 2);
    expect(registrations()[1]!.header("expires")).toBe("0");
    run.agent.hangUp("a");
    expect(await run.ended("a")).toMatchObject({ by: "us", outcome: null });
    expect(registrations()).toHaveLength(2);
  });

  test("stopping hangs up every call as interrupted, in whatever state it is", async () => {
    const peer = await friend();
    const ringing = await peerWith((request) =>
      request.method === "INVITE" ? reply(request, "180 Ringing") : reply(request, "200 OK"),
    );
    const run = await startAgent([trunkAt(peer.port), trunkAt(ringing.port, { id: "slow" })]);
    run.invite({ callId: "a" });
    run.invite({ callId: "b", trunkId: "slow" });
    await run.heard("a answered");
    await run.heard("b ringing");
    await run.agent.stop(300);
    expect(run.endings.get("a")).toMatchObject({ outcome: "interrupted" });
    expect(run.endings.get("b")).toMatchObject({ outcome: "interrupted" });
    expect(peer.heard.at(-1)!.method).toBe("BYE");
    expect(ringing.heard.at(-1)!.method).toBe("CANCEL");
  });
});

test("100 calls are set up, one after another", async () => {
  const peer = await friend();
  const run = await startAgent([trunkAt(peer.port, { lines: 200, callsPerSecond: 1_000 })]);
  for (let i = 0; i < 100; i++) {
    run.invite({ callId: `c${i}` });
    await run.heard(`c${i} answered`);
  }
  expect(run.agent.trunkStates()[0]!.activeCalls).toBe(100);
});
