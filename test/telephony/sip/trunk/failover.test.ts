// A trunk with several hosts: calls, registrations and OPTIONS when one host is silent or answers 503.
import { afterEach, describe, expect, test } from "bun:test";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { freeSipPort } from "../../../support/free-ports.ts";
import { until } from "../../../support/until.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { scriptedDns, type Zone } from "./scripted-dns.ts";
import { friendly, type Heard, methodsOf, reply, udpPeer, type UdpPeer } from "../transport/scripted-peer.ts";
import { closeTlsPeersAfterEach, tlsPeer } from "../transport/tls-peer.ts";

stopAgentsAfterEach();
closeTlsPeersAfterEach();

/** Five seconds in a quarter of one. */
const SPEED = 20;
const FIRST = "127.0.0.11";
const SECOND = "127.0.0.12";
const account = { register: true, username: "ward", secret: "s3cret" };

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

type Answer = (request: Heard) => string | null;

async function hostAt(address: string, answer?: Answer): Promise<UdpPeer> {
  const ok: Answer = (request) => friendly(request, `sip:peer@${address}:${peer.port}`);
  const peer = await udpPeer(answer ?? ok, address);
  peers.push(peer);
  return peer;
}

function zoneOf(first: { port: number }, second: { port: number }, transport = "_sip._udp"): Zone {
  return {
    srv: {
      [`${transport}.trunk.example`]: [`10 1 ${first.port} one.trunk.example`, `20 1 ${second.port} two.trunk.example`],
    },
    addresses: { "one.trunk.example": [FIRST], "two.trunk.example": [SECOND] },
    ttlSeconds: 30,
  };
}

async function trunkWith(first: UdpPeer, second: UdpPeer, settings: Parameters<typeof trunkAt>[1] = {}) {
  const dns = scriptedDns(zoneOf(first, second));
  const run = await startAgent([trunkAt(0, { host: "trunk.example", ...settings })], {
    resolver: dns,
    clock: fasterClock(SPEED),
    bind: { address: "0.0.0.0", port: freeSipPort() },
  });
  const state = () => run.agent.trunkStates()[0]!;
  return { run, dns, state };
}

const methods = methodsOf;
const count = (peer: UdpPeer, method: string) => methods(peer).filter((one) => one === method).length;
const silent: Answer = () => null;

describe("a call", () => {
  test("goes to the host that DNS prefers", async () => {
    const [first, second] = [await hostAt(FIRST), await hostAt(SECOND)];
    const { run, state } = await trunkWith(first, second);
    run.invite();
    await run.heard("call_1 answered");
    expect(first.heard[0]!.text).toStartWith("INVITE sip:+919800000001@trunk.example SIP/2.0");
    expect(second.heard).toEqual([]);
    expect(state().address).toBe(`${FIRST}:${first.port}`);
  });

  test.each([
    ["is silent", silent],
    ["answers 503", (request: Heard) => (request.method === "INVITE" ? reply(request, "503 Out") : null)],
  ])("whose host %s goes to the next within the same attempt, and so do the calls after it", async (_, answer) => {
    const [first, second] = [await hostAt(FIRST, answer), await hostAt(SECOND)];
    const { run, state } = await trunkWith(first, second);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    expect(methodsOf(second)).toEqual(["INVITE", "ACK", "BYE"]);
    const [before, after] = [first.heard[0]!, second.heard[0]!];
    // Both hosts see one call: a new transaction of the same Call-ID with the next CSeq.
    expect(after.header("call-id")).toBe(before.header("call-id"));
    expect([before.header("cseq"), after.header("cseq")]).toEqual(["1 INVITE", "2 INVITE"]);
    expect(state()).toMatchObject({ state: "up", lastError: null, address: `${SECOND}:${second.port}` });
    const invites = count(first, "INVITE");
    run.invite({ callId: "call_2" });
    await run.heard("call_2 answered");
    expect(count(first, "INVITE")).toBe(invites);
  });

  test("that no host takes has failed once all have been tried, with the last one's reason", async () => {
    const busy: Answer = (request) => (request.method === "INVITE" ? reply(request, "503 Out") : null);
    const [first, second] = [await hostAt(FIRST, busy), await hostAt(SECOND, busy)];
    const { run } = await trunkWith(first, second);
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "carrier_error", sipCode: 503 });
    expect([count(first, "INVITE"), count(second, "INVITE")]).toEqual([1, 1]);
  });

  test("that has rung is not made a second time through another host", async () => {
    const [first, second] = [
      await hostAt(FIRST, (request) => {
        if (request.method !== "INVITE") return null;
        first.sendTo(reply(request, "180 Ringing"), run.agent.port, "127.0.0.1");
        return reply(request, "503 Out");
      }),
      await hostAt(SECOND),
    ];
    const { run } = await trunkWith(first, second);
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "carrier_error", sipCode: 503 });
    expect(second.heard).toEqual([]);
  });

  test("that a silent host takes after all, when the next has it, is cancelled or hung up there", async () => {
    const [first, second] = [await hostAt(FIRST, silent), await hostAt(SECOND)];
    const { run } = await trunkWith(first, second);
    run.invite();
    await run.heard("call_1 answered");
    const invite = first.heard[0]!;
    first.sendTo(reply(invite, "180 Ringing"), run.agent.port, "127.0.0.1");
    await until(() => count(first, "CANCEL") > 0);
    const contact = [`Contact: <sip:late@${FIRST}:${first.port}>`];
    first.sendTo(reply(invite, "200 OK", { headers: contact, tag: "late" }), run.agent.port, "127.0.0.1");
    await until(() => count(first, "BYE") > 0);
    expect(count(first, "ACK")).toBeGreaterThan(0);
    expect(run.events).toEqual(["call_1 answered"]);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
    expect(count(second, "BYE")).toBe(1);
  });

  test("given up while the next host is being tried is over, and rings nowhere", async () => {
    const [first, second] = [await hostAt(FIRST, silent), await hostAt(SECOND, silent)];
    const { run } = await trunkWith(first, second);
    run.invite();
    await until(() => count(second, "INVITE") > 0);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: "interrupted" });
  });

  test("stays with its host when the trunk moves, and is ended from every host of the trunk", async () => {
    let isDead = false;
    const [first, second] = [
      // A name as Contact says nothing about which of the hosts it is.
      await hostAt(FIRST, (request) => (isDead ? null : friendly(request, "sip:peer@trunk.example"))),
      await hostAt(SECOND),
    ];
    const { run, state } = await trunkWith(first, second, { optionsEverySeconds: 25 });
    await until(() => state().state === "up");
    for (const callId of ["call_1", "call_2"]) {
      run.invite({ callId });
      await run.heard(`${callId} answered`);
    }
    isDead = true;
    run.invite({ callId: "call_3" });
    await run.heard("call_3 answered");
    expect(state().address).toBe(`${SECOND}:${second.port}`);
    isDead = false;
    run.agent.hangUp("call_1");
    await run.ended("call_1");
    expect(count(first, "BYE")).toBe(1);
    const invite = first.heard.filter(({ method }) => method === "INVITE")[1]!;
    const bye = [
      "BYE sip:ringward@127.0.0.1 SIP/2.0",
      `Via: SIP/2.0/UDP ${SECOND}:${second.port};branch=z9hG4bKother;rport`,
      `From: ${invite.header("to")};tag=peer`,
      `To: ${invite.header("from")}`,
      `Call-ID: ${invite.header("call-id")}`,
      "CSeq: 1 BYE",
      "",
      "",
    ].join("\r\n");
    second.sendTo(bye, run.agent.port, "127.0.0.1");
    expect(await run.ended("call_2")).toMatchObject({ by: "peer", outcome: null });
  });
});

describe("a registration", () => {
  test.each([
    ["is silent", silent],
    ["answers 503", (request: Heard) => reply(request, "503 Out", { headers: ["Retry-After: 120"] })],
  ])("is made at the next host where the first %s", async (_, answer) => {
    const [first, second] = [await hostAt(FIRST, answer), await hostAt(SECOND)];
    const { state } = await trunkWith(first, second, account);
    await until(() => state().isRegistered === true);
    expect(state()).toMatchObject({ state: "up", lastError: null, address: `${SECOND}:${second.port}` });
  });

  test("and its password: each host of the trunk gets its own digest, and no other host gets one", async () => {
    const challenge = (nonce: string) => (request: Heard) =>
      request.header("authorization") === ""
        ? reply(request, "401 Unauthorized", { headers: [`WWW-Authenticate: Digest realm="t", nonce="${nonce}"`] })
        : reply(request, "503 Out");
    const [first, second] = [
      await hostAt(FIRST, challenge("one")),
      await hostAt(SECOND, (request) =>
        request.header("authorization") === "" ? challenge("two")(request) : friendly(request, "sip:x@127.0.0.1"),
      ),
    ];
    const { state } = await trunkWith(first, second, account);
    await until(() => state().isRegistered === true);
    expect(second.heard[0]!.header("authorization")).toBe("");
    expect(second.heard.at(-1)!.header("authorization")).toContain('nonce="two"');
  });

  test("that no host answers is reported as such, and made when one is back", async () => {
    let isDead = true;
    const answer: Answer = (request) => (isDead ? null : friendly(request, "sip:x@127.0.0.1"));
    const [first, second] = [await hostAt(FIRST, answer), await hostAt(SECOND, answer)];
    const { state } = await trunkWith(first, second, account);
    await until(() => state().state === "down");
    expect(state().lastError).toContain("does not answer our registration");
    isDead = false;
    await until(() => state().isRegistered === true);
    expect(state()).toMatchObject({ state: "up", lastError: null });
  });
});

describe("a trunk that is asked by OPTIONS", () => {
  test("moves to its second host without having been down, and comes back when the first answers again", async () => {
    let isDead = false;
    const [first, second] = [
      await hostAt(FIRST, (request) => (isDead ? null : friendly(request, "sip:x@127.0.0.1"))),
      await hostAt(SECOND),
    ];
    const { run, state } = await trunkWith(first, second, { optionsEverySeconds: 25, ...account });
    await until(() => state().state === "up" && state().roundTripMs !== null && state().isRegistered === true);
    isDead = true;
    await until(() => state().address === `${SECOND}:${second.port}` && state().isRegistered === true);
    isDead = false;
    await until(() => state().address === `${FIRST}:${first.port}` && state().isRegistered === true);
    expect(run.trunkStates.map((one) => one.state)).not.toContain("down");
  });

  test("does not come back while it carries a call", async () => {
    let isDead = false;
    const [first, second] = [
      await hostAt(FIRST, (request) => (isDead ? null : friendly(request, "sip:x@127.0.0.1"))),
      await hostAt(SECOND),
    ];
    const { run, state } = await trunkWith(first, second, { optionsEverySeconds: 25 });
    await until(() => state().roundTripMs !== null);
    isDead = true;
    run.invite();
    await run.heard("call_1 answered");
    isDead = false;
    const asked = count(second, "OPTIONS");
    // Longer than a rest.
    await until(() => count(second, "OPTIONS") >= asked + 2);
    expect(state().address).toBe(`${SECOND}:${second.port}`);
    run.agent.hangUp("call_1");
    await run.ended();
    await until(() => state().address === `${FIRST}:${first.port}`);
  });

  test("is down once none of its hosts answers, and up with the first that does", async () => {
    let isDead = false;
    const answer: Answer = (request) => (isDead ? null : friendly(request, "sip:x@127.0.0.1"));
    const [first, second] = [await hostAt(FIRST, answer), await hostAt(SECOND, answer)];
    const { state } = await trunkWith(first, second, { optionsEverySeconds: 25 });
    await until(() => state().state === "up");
    isDead = true;
    await until(() => state().state === "down");
    isDead = false;
    await until(() => state().state === "up");
  });

  test("and never answers it, but registers us, stays where it is", async () => {
    const mute: Answer = (request) => (request.method === "OPTIONS" ? null : friendly(request, "sip:x@127.0.0.1"));
    const [first, second] = [await hostAt(FIRST, mute), await hostAt(SECOND, mute)];
    const { state } = await trunkWith(first, second, { optionsEverySeconds: 5, ...account });
    await until(() => count(first, "OPTIONS") > 12);
    expect(second.heard).toEqual([]);
    expect(state()).toMatchObject({ isRegistered: true, address: `${FIRST}:${first.port}` });
  });
});

describe("when DNS changes or fails,", () => {
  test("a trunk keeps the addresses that it had, and its state says that the name is gone", async () => {
    const [first, second] = [await hostAt(FIRST), await hostAt(SECOND)];
    const { run, dns, state } = await trunkWith(first, second, { optionsEverySeconds: 25 });
    await until(() => state().state === "up");
    dns.zone = { ttlSeconds: 0, failing: ["trunk.example", "_sip._udp.trunk.example"] };
    await until(() => state().lastError?.startsWith("The trunk's host has no address") ?? false);
    expect(state()).toMatchObject({ state: "up", address: `${FIRST}:${first.port}` });
    run.invite();
    await run.heard("call_1 answered");
    dns.zone = zoneOf(first, second);
    await until(() => state().lastError === null);
  }, 180_000);

  test("a call with a host that DNS no longer names goes on, and is ended by it; new ones from there are not taken", async () => {
    const [first, second] = [await hostAt(FIRST), await hostAt(SECOND)];
    const { run, dns, state } = await trunkWith(first, second);
    run.invite();
    await run.heard("call_1 answered");
    dns.zone = { ...zoneOf(second, second), addresses: { "one.trunk.example": [SECOND] } };
    await until(() => state().address === `${SECOND}:${second.port}`, { withinMs: 60_000 });
    const invite = first.heard[0]!;
    const request = (method: string, to: string, callId: string) =>
      [
        `${method} sip:ringward@127.0.0.1 SIP/2.0`,
        `Via: SIP/2.0/UDP ${FIRST}:${first.port};branch=z9hG4bK${method};rport`,
        `From: ${invite.header("to")};tag=peer`,
        `To: ${to}`,
        `Call-ID: ${callId}`,
        `CSeq: 1 ${method}`,
        "",
        "",
      ].join("\r\n");
    first.sendTo(request("INVITE", "<sip:ringward@127.0.0.1>", "new"), run.agent.port, "127.0.0.1");
    first.sendTo(request("BYE", invite.header("from"), invite.header("call-id")), run.agent.port, "127.0.0.1");
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
    expect(run.inbound).toEqual([]);
  }, 180_000);
});

describe("over TLS,", () => {
  const ca = createPrivateCa();
  const settings = { host: "trunk.example", transport: "tls", caPem: ca.caPem } as const;

  async function trunkBehind(first: { port: number }, second: { port: number }) {
    const zone = zoneOf(first, second, "_sips._tcp");
    zone.addresses = { "one.trunk.example": ["127.0.0.1"], "two.trunk.example": ["127.0.0.1"] };
    // By the true clock: nothing is waited for here, and a handshake needs the time that it needs.
    const run = await startAgent([trunkAt(0, settings)], { resolver: scriptedDns(zone) });
    return { run, state: () => run.agent.trunkStates()[0]! };
  }

  test("a call whose host says 503 goes over a connection to the next", async () => {
    const certificate = ca.issue(["trunk.example"]);
    const first = await tlsPeer(certificate, (request) =>
      request.method === "INVITE" ? reply(request, "503 Out") : friendly(request, "sip:x@127.0.0.1"),
    );
    const second = await tlsPeer(certificate);
    const { run, state } = await trunkBehind(first, second);
    await until(() => first.sockets.length > 0 && state().address !== null);
    run.invite();
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    await run.ended();
    expect(methodsOf(second)).toEqual(["INVITE", "ACK", "BYE"]);
  });

  test("the certificate must carry the trunk's own domain (RFC 5922): the name that SRV gave does not do", async () => {
    const wrong = await tlsPeer(ca.issue(["one.trunk.example"]));
    const right = await tlsPeer(ca.issue(["trunk.example"]));
    const { run, state } = await trunkBehind(wrong, right);
    await until(() => state().address === `127.0.0.1:${right.port}`);
    run.invite();
    await run.heard("call_1 answered");
    expect(wrong.heard).toEqual([]);
  });
});
