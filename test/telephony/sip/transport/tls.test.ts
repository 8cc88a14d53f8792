// SIP over TLS against Node's TLS server: certificate validation cannot be bypassed.
import { describe, expect, test } from "bun:test";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { bye, friendly, methodsOf, reply, udpPeer } from "./scripted-peer.ts";
import { dnsLeadingTo } from "../trunk/scripted-dns.ts";
import { closeTlsPeersAfterEach, tlsPeer } from "./tls-peer.ts";

stopAgentsAfterEach();

const HOST = "sip.trunk.example";
const ca = createPrivateCa();
const resolver = dnsLeadingTo("127.0.0.1");
closeTlsPeersAfterEach();

const settings = (port: number, caPem: string | null = ca.caPem) =>
  trunkAt(port, { host: HOST, transport: "tls", caPem });

test("a call over TLS: answered, and hung up by us", async () => {
  const peer = await tlsPeer(ca.issue([HOST]));
  const run = await startAgent([settings(peer.port)], { resolver });
  run.invite();
  await run.heard("call_1 answered");
  run.agent.hangUp("call_1");
  expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  expect(methodsOf(peer)).toEqual(["INVITE", "ACK", "BYE"]);
  expect(peer.heard[0]!.header("via")).toStartWith("SIP/2.0/TLS ");
  expect(peer.heard[0]!.header("contact")).toContain(";transport=tls");
  expect(peer.sockets).toHaveLength(1);
});

test("a trunk that is configured by its address needs a certificate for that address", async () => {
  const peer = await tlsPeer(ca.issue(["127.0.0.1"]));
  const run = await startAgent([trunkAt(peer.port, { transport: "tls", caPem: ca.caPem })]);
  run.invite();
  await run.heard("call_1 answered");
});

test("the trunk's own requests come over the connection that we opened", async () => {
  const peer = await tlsPeer(ca.issue([HOST]));
  const run = await startAgent([settings(peer.port)], { resolver });
  run.invite();
  await run.heard("call_1 answered");
  peer.sockets[0]!.write("\r\n\r\n");
  peer.sockets[0]!.write(bye(peer.heard[0]!, "SIP/2.0/TLS 127.0.0.1:5061", "sip:ringward@127.0.0.1"));
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
  await until(() => peer.heard.some(({ text }) => text.includes("SIP/2.0 200")));
});

test("a BYE over UDP, where the trunk's address can be forged, does not end a call over TLS", async () => {
  const peer = await tlsPeer(ca.issue([HOST]));
  const run = await startAgent([settings(peer.port)], { resolver });
  run.invite();
  await run.heard("call_1 answered");
  const forger = await udpPeer(() => null);
  const text = bye(peer.heard[0]!, `SIP/2.0/UDP 127.0.0.1:${forger.port};rport`, "sip:ringward@127.0.0.1");
  forger.send(text, run.agent.port);
  await until(() => forger.heard.length > 0);
  forger.close();
  expect(forger.heard[0]!.text).toStartWith("SIP/2.0 481");
  expect(run.endings.size).toBe(0);
});

describe("not one byte of SIP is sent to a server whose certificate", () => {
  test.each([
    ["carries another name", () => ca.issue(["other.example"]), ca.caPem],
    ["has expired", () => ca.issue([HOST], { expired: true }), ca.caPem],
    ["was signed by another authority", () => createPrivateCa("Somebody else").issue([HOST]), ca.caPem],
    ["was signed by no public authority", () => ca.issue([HOST]), null],
  ])("%s", async (_, issue, caPem) => {
    const peer = await tlsPeer(issue());
    const run = await startAgent([{ ...settings(peer.port, caPem), optionsEverySeconds: 25 }], { resolver });
    await until(() => run.agent.trunkStates()[0]!.state === "down");
    expect(run.agent.trunkStates()[0]!.lastError).toMatch(
      /certificate was refused: .*\. Give the trunk the certificate .*--ca-file FILE/,
    );
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "infrastructure_error" });
    expect(peer.heard).toEqual([]);
  });
});

test("a dropped connection fails what waits on it, and is opened again by itself", async () => {
  let isDeaf = true;
  const peer = await tlsPeer(ca.issue([HOST]), (request) =>
    isDeaf ? reply(request, "100 Trying") : friendly(request, "sip:peer@127.0.0.1:5061;transport=tls"),
  );
  const run = await startAgent([settings(peer.port)], { resolver });
  run.invite();
  await run.heard("call_1 trying");
  isDeaf = false;
  peer.sockets[0]!.destroy();
  expect(await run.ended()).toMatchObject({ by: "network", outcome: "infrastructure_error" });
  expect(run.agent.trunkStates()[0]).toMatchObject({ state: "down" });
  await until(() => run.agent.trunkStates()[0]!.state !== "down");
  run.invite({ callId: "call_2" });
  await run.heard("call_2 answered");
  expect(peer.sockets).toHaveLength(2);
});

test("a registration whose connection was lost is made again over a new one", async () => {
  const peer = await tlsPeer(ca.issue([HOST]));
  const account = { register: true, username: "ward", secret: "s3cret" };
  const run = await startAgent([{ ...settings(peer.port), ...account }], { resolver });
  await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
  peer.sockets[0]!.destroy();
  await until(() => run.agent.trunkStates()[0]!.isRegistered === false);
  await until(() => run.agent.trunkStates()[0]!.isRegistered === true);
  expect(peer.sockets).toHaveLength(2);
  expect(run.agent.trunkStates()[0]).toMatchObject({ state: "up", lastError: null });
});
