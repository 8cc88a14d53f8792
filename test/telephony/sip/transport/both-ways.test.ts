// Inbound requests of a TLS trunk: over the connection that we keep open, or at our own listener.
import { describe, expect, test } from "bun:test";
import { connect, type TLSSocket } from "node:tls";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { freeSipPort } from "../../../support/free-ports.ts";
import { until } from "../../../support/until.ts";
import {
  fasterClock,
  startAgent,
  stopAgentsAfterEach,
  trunkAt,
  type AgentUnderTest,
} from "../call/agent-under-test.ts";
import { dnsLeadingTo } from "../trunk/scripted-dns.ts";
import { bye, heard, reply, udpPeer, type Heard } from "./scripted-peer.ts";
import { callToUs, closeTlsPeersAfterEach, tagOfOurs, tlsPeer, type TlsPeer } from "./tls-peer.ts";

stopAgentsAfterEach();
closeTlsPeersAfterEach();

const HOST = "sip.trunk.example";
const ca = createPrivateCa();
const resolver = dnsLeadingTo("127.0.0.1");
const settings = (port: number) => trunkAt(port, { host: HOST, transport: "tls", caPem: ca.caPem });
const account = { register: true, username: "ward", secret: "s3cret" };
const contactOf = (message: Heard | undefined) => message?.header("contact") ?? "";
const ours = (peer: TlsPeer, connection = 0) => peer.sockets[connection]!.remotePort;

/** Takes the call that rings, and has the peer hang it up. */
async function takenAndHungUp(run: AgentUnderTest, messages: Heard[], say: (method: string, ourTag: string) => void) {
  await until(() => run.inbound.length === 1);
  const { callId } = run.inbound[0]!;
  run.agent.answerInbound(callId, ["PCMA"]);
  await until(() => tagOfOurs(messages) !== "");
  say("ACK", tagOfOurs(messages));
  await run.heard(`${callId} answered`);
  say("BYE", tagOfOurs(messages));
  return run.ended(callId);
}

describe("over the connection that we keep,", () => {
  test("Contact names that connection, in a registration and in a call", async () => {
    const peer = await tlsPeer(ca.issue([HOST]));
    const run = await startAgent([{ ...settings(peer.port), ...account }], { resolver });
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
    run.invite();
    await run.heard("call_1 answered");
    const register = peer.heard.find(({ method }) => method === "REGISTER");
    const invite = peer.heard.find(({ method }) => method === "INVITE");
    expect(contactOf(register)).toBe(`<sip:ward@127.0.0.1:${ours(peer)};transport=tls>`);
    expect(contactOf(invite)).toBe(`<sip:ward@127.0.0.1:${ours(peer)};transport=tls>`);
    expect(peer.sockets).toHaveLength(1);
  });

  test("the trunk calls us and hangs up", async () => {
    const peer = await tlsPeer(ca.issue([HOST]), () => null);
    const run = await startAgent([settings(peer.port)], { resolver });
    const say = (method: string, ourTag?: string) =>
      peer.sockets[0]!.write(callToUs(method, { transport: "TLS", port: 5061, ...(ourTag && { ourTag }) }));
    await until(() => peer.sockets.length === 1);
    say("INVITE");
    expect(await takenAndHungUp(run, peer.heard, say)).toMatchObject({ by: "peer", outcome: null });
  });

  test("a registration that was lost with it is made anew, with the new connection's own Contact", async () => {
    const peer = await tlsPeer(ca.issue([HOST]));
    const trunk = { ...settings(peer.port), ...account };
    const run = await startAgent([trunk], { resolver, clock: fasterClock(10) });
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
    peer.sockets[0]!.destroy();
    await until(() => run.agent.trunkStates()[0]!.state === "down");
    expect(run.agent.trunkStates()[0]!.lastError).toContain("opens it again by itself");
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
    expect(contactOf(peer.heard.at(-1))).toContain(`:${ours(peer, 1)};`);
  });

  test("an empty line now and then keeps it open", async () => {
    const peer = await tlsPeer(ca.issue([HOST]));
    await startAgent([settings(peer.port)], { resolver, clock: fasterClock(500) });
    await until(() => peer.raw.filter((text) => text === "\r\n\r\n").length >= 2);
  });

  test("a NAT on the way is seen through: Contact names the connection as the trunk sees it", async () => {
    const seen = (request: Heard) => request.text.replace(/;rport/i, ";rport=40404;received=198.51.100.7");
    const peer = await tlsPeer(ca.issue([HOST]), (request) => reply(heard(seen(request)), "200 OK"));
    const run = await startAgent([{ ...settings(peer.port), ...account }], { resolver });
    await until(() => peer.heard.filter(({ method }) => method === "REGISTER").length === 2);
    expect(contactOf(peer.heard.at(-1))).toBe("<sip:ward@198.51.100.7:40404;transport=tls>");
    await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
  });

  test("a new call over UDP or TCP from the trunk's address is refused: that address can be forged there", async () => {
    const peer = await tlsPeer(ca.issue([HOST]));
    const run = await startAgent([settings(peer.port)], { resolver });
    const forger = await udpPeer(() => null);
    forger.send(callToUs("INVITE", { transport: "UDP", port: forger.port }), run.agent.port);
    await until(() => forger.heard.length > 0);
    forger.close();
    expect(forger.heard[0]!.text).toStartWith("SIP/2.0 403");
    expect(run.inbound).toEqual([]);
  });
});

describe("at our own TLS listener,", () => {
  const tls = () => ({ ...ca.issue(["127.0.0.1"]), port: freeSipPort() });

  async function caller(port: number) {
    const messages: Heard[] = [];
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      const opening = connect({ host: "127.0.0.1", port, ca: ca.caPem }, () => resolve(opening));
      opening.on("error", reject);
    });
    socket.on("data", (bytes) => {
      for (const text of bytes.toString().split(/(?=^SIP\/2\.0 )/m)) messages.push(heard(text));
    });
    return { socket, messages };
  }

  test("a trunk that opens connections of its own calls us, and is told that port in Contact", async () => {
    const listening = tls();
    const peer = await tlsPeer(ca.issue([HOST]));
    const run = await startAgent([settings(peer.port)], { resolver, tls: listening });
    const { socket, messages } = await caller(listening.port);
    const say = (method: string, ourTag?: string) =>
      socket.write(callToUs(method, { transport: "TLS", port: 5061, ...(ourTag && { ourTag }) }));
    say("INVITE");
    expect(await takenAndHungUp(run, messages, say)).toMatchObject({ by: "peer", outcome: null });
    socket.destroy();
    run.invite();
    await run.heard("call_1 answered");
    expect(contactOf(peer.heard.find(({ method }) => method === "INVITE"))).toContain(
      `:${listening.port};transport=tls`,
    );
  });

  test("a trunk that hangs up over a connection of its own is heard at once", async () => {
    const listening = tls();
    const peer = await tlsPeer(ca.issue([HOST]));
    const run = await startAgent([settings(peer.port)], { resolver, tls: listening });
    run.invite();
    await run.heard("call_1 answered");
    const { socket } = await caller(listening.port);
    socket.write(bye(peer.heard[0]!, "SIP/2.0/TLS 127.0.0.1:5061", "sip:ringward@127.0.0.1"));
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
    socket.destroy();
  });

  test("a registered trunk still gets the connection that we keep", async () => {
    const peer = await tlsPeer(ca.issue([HOST]));
    await startAgent([{ ...settings(peer.port), ...account }], { resolver, tls: tls() });
    await until(() => peer.heard.length > 0);
    expect(contactOf(peer.heard[0])).toContain(`:${ours(peer)};`);
  });

  test("a taken port is told by its number", async () => {
    const listening = tls();
    await startAgent([], { tls: listening });
    expect(startAgent([], { tls: listening })).rejects.toThrow(`TLS on port ${listening.port}`);
  });
});
