// The worker's handling of orders, from the first audio port to the last hang-up.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallAgent } from "../../../../src/telephony/port.ts";
import { audioPorts, reservedPort } from "../../../support/free-ports.ts";
import { tempFolder } from "../../../support/temp.ts";
import { until } from "../../../support/until.ts";
import { readPcap } from "../../read-pcap.ts";
import { bye, friendly, reply, SDP } from "../transport/scripted-peer.ts";
import { audioOf } from "../../rtp/driven-call.ts";
import { NUMBERS } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";
import { idle, inviteOf, methods, OTHER, peerThat, RESULT, sipPort, startPhone } from "./phone-under-test.ts";

cleanUpAfterEach();

test("a call whose other side falls silent is hung up, and has failed; what was said is kept", async () => {
  const rtp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0 });
  afterwards(() => rtp.close());
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);
  const peer = await peerThat((request, contact) => friendly(request, contact, sdp));
  const run = await startPhone(peer.port, idle, { lostAudioMs: 200 });
  run.dial();
  await run.heard("answered", "a");
  const rtpPort = Number(/m=audio (\d+)/.exec(inviteOf(peer, NUMBERS.talks).text)![1]);
  rtp.send(audioOf(0x11, 5, 1), rtpPort, "127.0.0.1");
  const { end } = await run.heard("ended", "a");
  expect(end).toMatchObject({
    kind: "failed",
    code: "infrastructure_error",
    message: expect.stringContaining("audio stopped"),
    durationSeconds: expect.any(Number),
    recorded: true,
  });
  expect(methods(peer).at(-1)).toBe("BYE");
});

test("of a call that has ended its sound and its agent are let go of, though SIP remembers it for half a minute", async () => {
  const peer = await peerThat();
  const agents: WeakRef<CallAgent>[] = [];
  const run = await startPhone(peer.port, () => {
    const agent = idle();
    agents.push(new WeakRef(agent));
    return agent;
  });
  for (let i = 0; i < 10; i++) {
    run.dial({ callId: `call ${i}` });
    await run.heard("answered", `call ${i}`);
    run.phone.receive({ type: "hangUp", callId: `call ${i}` });
    await run.heard("ended", `call ${i}`);
  }
  // The collector takes what lies on the stack by chance for held: one or two may be.
  const held = () => (Bun.gc(true), agents.filter((agent) => agent.deref() !== undefined).length);
  await until(() => held() <= 2, { withinMs: 10_000, what: () => `${held()} of 10 are still held` });
});

describe("an order to dial", () => {
  test("offers A-law first to India, and µ-law first to North America", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    run.dial({ callId: "india" });
    await run.heard("answered", "india");
    run.dial({ callId: "america", to: "+12125550100" });
    await run.heard("answered", "america");
    const offers = peer.heard.flatMap(({ text }) => /m=audio \d+ RTP\/AVP (.*)/.exec(text)?.[1] ?? []);
    expect(offers).toEqual(["9 8 0 101", "9 0 8 101"]);
  });

  test("that is taken back while its audio ports open is never on the wire", async () => {
    const peer = await peerThat();
    const rtpPorts = audioPorts(2);
    const run = await startPhone(peer.port, idle, { rtpPorts });
    run.dial();
    run.phone.receive({ type: "hangUp", callId: "a" });
    const { end } = await run.heard("ended", "a");
    expect(end).toMatchObject({ code: "interrupted", message: "The call was hung up before it was answered." });
    await until(() => isFree(rtpPorts.from));
    expect(methods(peer)).toEqual([]);
  });

  test("for which no audio port is left fails, and says what to widen", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port, idle, { rtpPorts: audioPorts(2) });
    run.dial();
    await run.heard("answered", "a");
    run.dial({ callId: "b" });
    const { end } = await run.heard("ended", "b");
    expect(end).toMatchObject({ code: "infrastructure_error", message: expect.stringContaining("rtp_port_from") });
  });

  test("has the audio ports that were held for it, and no other call is told that there are more", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port, idle, { rtpPorts: audioPorts(2) });
    run.phone.receive({ type: "hold", askId: 1, calls: 1 });
    expect(await run.heard("held")).toEqual({ type: "held", askId: 1, calls: 1 });
    run.dial();
    await run.heard("answered", "a");
    run.said.length = 0;
    run.phone.receive({ type: "hold", askId: 2, calls: 1 });
    expect(await run.heard("held")).toEqual({ type: "held", askId: 2, calls: 0 });
  });

  test("creates its agent while the phone rings, and ends it when the call is not answered", async () => {
    const peer = await peerThat((request, contact) =>
      request.method === "INVITE" ? reply(request, "180 Ringing") : friendly(request, contact),
    );
    const heard: string[] = [];
    const run = await startPhone(peer.port, () => {
      heard.push(`made after ${methods(peer).length} messages`);
      return { ...idle(), ended: (by) => (heard.push(by), RESULT) };
    });
    run.dial();
    const { end } = await run.heard("ended", "a");
    expect(end).toMatchObject({ kind: "failed", code: "no_answer", line: { media: null } });
    expect(heard).toEqual(["made after 0 messages", "peer"]);
  });

  test("with a capture file leaves its packets there", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    const captureFile = join(tempFolder(), "a.pcap");
    run.dial({ captureFile });
    await run.heard("answered", "a");
    run.phone.receive({ type: "hangUp", callId: "a" });
    expect((await run.heard("ended", "a")).end.line?.captured).toBe(true);
    expect(existsSync(captureFile)).toBe(true);
  });

  test("is captured under the address that the trunk was told, where every interface is listened on", async () => {
    let packetsHeard = 0;
    const audio = await Bun.udpSocket({
      hostname: "127.0.0.1",
      port: reservedPort(),
      socket: { data: () => void packetsHeard++ },
    });
    afterwards(() => audio.close());
    const peer = await peerThat((request, contact) => {
      const answer = friendly(request, contact);
      return answer?.replace(/m=audio \d+/, `m=audio ${audio.port}`) ?? null;
    });
    const run = await startPhone(peer.port, undefined, { address: "0.0.0.0" });
    const captureFile = join(tempFolder(), "a.pcap");
    run.dial({ captureFile });
    await run.heard("answered", "a");
    await until(() => packetsHeard > 3);
    run.phone.receive({ type: "hangUp", callId: "a" });
    await run.heard("ended", "a");
    const packets = readPcap(readFileSync(captureFile));
    expect(packets.filter(({ payload }) => payload[0] === 0x80)).not.toBeEmpty();
    const ends = packets.flatMap(({ from, to }) => [from, to]).map((end) => end.split(":")[0]!);
    expect(new Set(ends)).toEqual(new Set(["127.0.0.1"]));
  });
});

describe("stopping", () => {
  test("lets an answered call end by itself, but no phone ring on", async () => {
    const peer = await peerThat((request, contact) =>
      request.method === "INVITE" && request.header("to").includes(OTHER)
        ? reply(request, "180 Ringing")
        : friendly(request, contact),
    );
    const run = await startPhone(peer.port, idle, { ringTimeoutMs: 20_000 });
    run.dial({ callId: "talking" });
    run.dial({ callId: "ringing", to: OTHER });
    await run.heard("answered", "talking");
    await run.heard("ringing", "ringing");
    run.phone.receive({ type: "stop", drainMs: 20_000 });
    expect((await run.heard("ended", "ringing")).end).toMatchObject({ kind: "failed", code: "interrupted" });
    expect(run.said.some((message) => message.type === "ended" && message.callId === "talking")).toBe(false);
    peer.send(
      bye(inviteOf(peer, NUMBERS.talks), `SIP/2.0/UDP 127.0.0.1:${peer.port}`, "sip:ringward@127.0.0.1"),
      sipPort(run),
    );
    expect((await run.heard("ended", "talking")).end.kind).toBe("completed");
    await run.heard("stopped");
  });

  test("hangs up what is left after the drain, as interrupted, and frees its port", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    const port = sipPort(run);
    run.dial();
    await run.heard("answered", "a");
    await run.stop(50);
    expect((await run.heard("ended", "a")).end).toMatchObject({ kind: "failed", code: "interrupted" });
    expect(methods(peer).at(-1)).toBe("BYE");
    expect(await isFree(port)).toBe(true);
  });
});

async function isFree(port: number): Promise<boolean> {
  try {
    (await Bun.udpSocket({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
