// After our crash the trunk's side of a call does not stay up: session timers, and a BYE from the next process.
import { expect, test } from "bun:test";
import type { KeptDialog } from "../../../../src/telephony/sip/call/dialog.ts";
import { until } from "../../../support/until.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "./agent-under-test.ts";
import { friendly, reply, SDP, udpPeer, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

const field = (value: string, name: string) => new RegExp(`;${name}=([^;>\\s]+)`).exec(value)?.[1];

/** A call of another user agent, which reports it and says no more of it. */
async function leftBy(peer: UdpPeer, trunk: Parameters<typeof trunkAt>[1] = {}) {
  const kept: KeptDialog[] = [];
  const run = await startAgent([trunkAt(peer.port, trunk)]);
  run.invite();
  await until(() => run.dialogs.length > 0);
  kept.push(...run.dialogs);
  await run.heard("call_1 answered");
  return { kept, invite: peer.heard.find(({ method }) => method === "INVITE")! };
}

test("what was left standing is ended by the next user agent, along its route and with a higher number", async () => {
  const peer = await udpPeer((request, own) =>
    request.method === "INVITE"
      ? reply(request, "200 OK", {
          headers: [`Contact: <sip:desk@127.0.0.1:${own.port}>`, `Record-Route: <sip:127.0.0.1:${own.port};lr>`],
          body: SDP,
        })
      : friendly(request, `sip:peer@127.0.0.1:${own.port}`),
  );
  const { kept, invite } = await leftBy(peer);
  // It crossed a database meanwhile.
  const stored = JSON.parse(JSON.stringify(kept)) as KeptDialog[];
  const next = await startAgent([trunkAt(peer.port)]);
  next.agent.endLeft(stored);
  await until(() => peer.heard.some(({ method }) => method === "BYE"));
  const bye = peer.heard.find(({ method }) => method === "BYE")!;
  expect(bye.text).toStartWith(`BYE sip:desk@127.0.0.1:${peer.port} SIP/2.0`);
  expect(bye.header("call-id")).toBe(invite.header("call-id"));
  expect(bye.header("from")).toBe(invite.header("from"));
  expect(field(bye.header("to"), "tag")).toBe("peer");
  expect(bye.header("route")).toContain(";lr");
  expect(Number.parseInt(bye.header("cseq"), 10)).toBeGreaterThan(1_000);
  peer.close();
});

test("the goodbye waits for a trunk that cannot be spoken to yet, and is said once", async () => {
  let isDead = false;
  const peer = await udpPeer((request, own) => (isDead ? null : friendly(request, `sip:peer@127.0.0.1:${own.port}`)));
  const { kept } = await leftBy(peer);
  const trunk = trunkAt(peer.port, { optionsEverySeconds: 25 });
  const next = await startAgent([trunk], { clock: fasterClock(20) });
  const state = () => next.agent.trunkStates()[0]!.state;
  await until(() => state() === "up");
  isDead = true;
  await until(() => state() === "down");
  next.agent.endLeft(kept);
  const byes = () => peer.heard.filter(({ method }) => method === "BYE");
  expect(byes()).toEqual([]);
  isDead = false;
  await until(() => byes().length > 0);
  await until(() => state() === "up");
  expect(new Set(byes().map(({ text }) => text)).size).toBe(1);
  peer.close();
});

test("the goodbye is signed where the trunk wants it", async () => {
  const peer = await udpPeer((request, own) => {
    const wantsDigest = request.method === "BYE" && !request.text.includes("Authorization: Digest");
    return wantsDigest
      ? reply(request, "401 Unauthorized", {
          headers: ['WWW-Authenticate: Digest realm="pbx", nonce="n1", qop="auth"'],
        })
      : friendly(request, `sip:peer@127.0.0.1:${own.port}`);
  });
  const account = { username: "ward", secret: "s3cret" };
  const { kept } = await leftBy(peer, account);
  const next = await startAgent([trunkAt(peer.port, account)]);
  next.agent.endLeft(kept);
  await until(() => peer.heard.some(({ method, text }) => method === "BYE" && text.includes("Authorization: Digest")));
  peer.close();
});

test("a session timer is offered, and we refresh where the trunk leaves it to us", async () => {
  const answer = (request: Heard, own: UdpPeer) =>
    request.method === "INVITE" || request.method === "UPDATE"
      ? reply(request, "200 OK", {
          headers: [
            `Contact: <sip:peer@127.0.0.1:${own.port}>`,
            "Allow: INVITE, ACK, BYE, UPDATE",
            "Require: timer",
            "Session-Expires: 180;refresher=uac",
          ],
          ...(request.method === "INVITE" && { body: SDP }),
        })
      : friendly(request, "");
  const peer = await udpPeer(answer);
  const run = await startAgent([trunkAt(peer.port)], { clock: fasterClock(200) });
  run.invite();
  await until(() => peer.heard.filter(({ method }) => method === "UPDATE").length >= 2);
  const invite = peer.heard.find(({ method }) => method === "INVITE")!;
  expect(invite.header("session-expires")).toBe("180");
  expect(invite.header("min-se")).toBe("90");
  expect(invite.header("supported")).toContain("timer");
  expect(run.endings.size).toBe(0);
  run.agent.hangUp("call_1");
  await run.ended();
  peer.close();
});
