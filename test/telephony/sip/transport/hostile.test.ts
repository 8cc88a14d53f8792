// Floods from unknown senders, malformed messages from known ones, and guessed dialogs: no answer, no growth, no crash.
import { afterEach, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { friendly, udpPeer, type UdpPeer } from "./scripted-peer.ts";

stopAgentsAfterEach();

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

async function friend(): Promise<UdpPeer> {
  const peer = await udpPeer((request, { port }) => friendly(request, `sip:peer@127.0.0.1:${port}`));
  peers.push(peer);
  return peer;
}

test("a stranger who sends 3,000 packets gets nothing, costs nothing, and our calls go on", async () => {
  const peer = await friend();
  const run = await startAgent([trunkAt(peer.port)]);
  let answers = 0;
  const stranger = await Bun.udpSocket({ hostname: "127.0.0.2", port: 0, socket: { data: () => void answers++ } });
  const invite = (i: number) =>
    `INVITE sip:x@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.2:5060;branch=z9hG4bK${i}\r\nFrom: <sip:a@b>;tag=1\r\n` +
    `To: <sip:x@y>\r\nCall-ID: ${i}\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n`;
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  for (let batch = 0; batch < 300; batch++) {
    for (let i = 0; i < 10; i++) {
      const packet = i % 2 === 0 ? invite(batch * 10 + i) : crypto.getRandomValues(new Uint8Array(1_200));
      stranger.send(packet, run.agent.port, "127.0.0.1");
    }
    // One batch after the other is read: none is lost for want of room in the kernel.
    await until(() => run.agent.counters().droppedStrangers === (batch + 1) * 10, { everyMs: 1 });
  }
  run.invite();
  await run.heard("call_1 answered");
  Bun.gc(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
  expect(answers).toBe(0);
  expect(run.inbound).toEqual([]);
  expect(run.agent.counters()).toMatchObject({ droppedStrangers: 3_000, droppedMalformed: 0, openCalls: 1 });
  stranger.close();
}, 180_000);

test("nonsense from a trunk's own address is dropped and counted", async () => {
  const peer = await friend();
  const run = await startAgent([trunkAt(peer.port)]);
  for (let i = 0; i < 500; i++) {
    // Slower than the kernel's buffer fills.
    if (i % 20 === 0) await until(() => run.agent.counters().droppedMalformed === i, { everyMs: 1 });
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(300)));
    const broken = `INVITE sip:x SIP/2.0\r\nVia: ${noise.toString("latin1")}\r\n\r\n`;
    peer.send(i % 2 === 0 ? noise.toString("latin1") : broken, run.agent.port);
  }
  await until(() => run.agent.counters().droppedMalformed >= 500);
  run.invite();
  await run.heard("call_1 answered");
  expect(run.agent.counters().openTransactions).toBeLessThan(3);
});

test("requests that no call knows get 481 or silence, and leave nothing behind", async () => {
  const peer = await friend();
  const run = await startAgent([trunkAt(peer.port)]);
  const bye = (tag: string) =>
    `BYE sip:x@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bK${tag}\r\n` +
    `From: <sip:a@b>;tag=1\r\nTo: <sip:x@y>;tag=${tag}\r\nCall-ID: nobody\r\nCSeq: 1 BYE\r\nMax-Forwards: 0\r\n\r\n`;
  peer.send(bye("one"), run.agent.port);
  await until(() => peer.heard.some(({ text }) => text.startsWith("SIP/2.0 481")));
  run.invite();
  await run.heard("call_1 answered");
  // The right Call-ID with guessed tags does not end the call.
  const callId = peer.heard.find(({ method }) => method === "INVITE")!.header("call-id");
  peer.send(bye("two").replace("nobody", callId), run.agent.port);
  await until(() => peer.heard.filter(({ text }) => text.startsWith("SIP/2.0 481")).length === 2);
  expect(run.endings.size).toBe(0);
});
