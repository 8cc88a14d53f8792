// Consultation call: a third party is asked to take the call while the callee stays on the line. Once they answer, the
// carrier bridges the two.
import { describe, expect, test } from "bun:test";
import type { ConsultEnd, Line } from "../../../../src/telephony/port.ts";
import { until } from "../../../support/until.ts";
import { audioOf } from "../../rtp/driven-call.ts";
import { byeToCaller, friendly, reply, SDP, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";
import { NUMBERS } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";
import { idle, inviteOf, methods, peerThat, sipPort, startPhone } from "./phone-under-test.ts";

cleanUpAfterEach();

const DESK = "100";
/** µ-law. */
const LOUD = 0x11;

async function telephone() {
  const heard: Uint8Array[] = [];
  const rtp = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    // Our side may have closed its port when the last packet comes.
    socket: { data: (_, bytes) => void heard.push(new Uint8Array(bytes)), error() {} },
  });
  afterwards(() => rtp.close());
  /** We send A-law, in which silence is 0xd5. */
  const isLoud = (packet: Uint8Array) =>
    packet.length === 172 && packet[12] !== 0xd5 && packet.subarray(12).every((byte) => byte === packet[12]);
  return { rtp, sdp: SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`), hearsIt: () => heard.some(isLoud) };
}

const isForDesk = ({ text }: Heard) => text.startsWith(`INVITE sip:${DESK}@`);
const deskInvite = (peer: UdpPeer) => peer.heard.find(isForDesk)!;
const portIn = (invite: Heard) => Number(/m=audio (\d+)/.exec(invite.text)![1]);

/** The patient answers; what the desk does is for the test to say. */
async function setStage(atDesk: "answers" | "rings" | `${number} ${string}`, target = DESK) {
  const [patient, desk] = [await telephone(), await telephone()];
  const peer = await peerThat((request, contact) => {
    if (!isForDesk(request)) return friendly(request, contact, patient.sdp);
    if (atDesk === "answers") return friendly(request, contact, desk.sdp);
    return reply(request, atDesk === "rings" ? "180 Ringing" : atDesk);
  });
  let end: ConsultEnd | null = null;
  const heard: string[] = [];
  const run = await startPhone(peer.port, () => ({
    ...idle(),
    answered: (line: Line) => void line.consult(target, null).then((told) => (end = told)),
    keyPressed: (key: string) => void heard.push(key),
  }));
  run.dial();
  return { patient, desk, peer, run, end: () => end };
}

describe("a consultation call", () => {
  test("joins the two once it is answered, and they hear each other", async () => {
    const { patient, desk, peer, run, end } = await setStage("answers");
    await until(() => end() === "joined");
    const [first, second] = [inviteOf(peer, NUMBERS.talks), deskInvite(peer)];
    expect(methods(peer).filter((method) => method === "BYE" || method === "REFER")).toEqual([]);
    let sequence = 0;
    const speak = (from: typeof patient, to: Heard) =>
      from.rtp.send(audioOf(LOUD, from.rtp.port, ++sequence), portIn(to), "127.0.0.1");
    await until(() => (speak(patient, first), desk.hearsIt()), { everyMs: 20 });
    await until(() => (speak(desk, second), patient.hearsIt()), { everyMs: 20 });
    // The desk hangs up: so do we.
    peer.send(byeToCaller(second, "peer", peer.port), sipPort(run));
    expect((await run.heard("ended", "a")).end).toMatchObject({ kind: "completed" });
    const over = peer.heard.filter(({ method }) => method === "BYE");
    expect(over.map((each) => each.header("call-id"))).toEqual([first.header("call-id")]);
  });

  test.each([
    ["486 Busy Here", "busy"],
    ["404 Not Found", "refused"],
  ] as const)("that is told %s is %s, and the other side is still on the line", async (status, told) => {
    const { peer, end } = await setStage(status);
    await until(() => end() !== null);
    expect(end()).toBe(told);
    expect(methods(peer)).not.toContain("BYE");
  });

  test("is given up when the other side leaves before it is answered", async () => {
    const { peer, run } = await setStage("rings");
    await until(() => peer.heard.some(isForDesk));
    peer.send(byeToCaller(inviteOf(peer, NUMBERS.talks), "peer", peer.port), sipPort(run));
    await run.heard("ended", "a");
    await until(() => methods(peer).includes("CANCEL"));
  });

  test("ends with the call that it was made for", async () => {
    const { peer, run, end } = await setStage("answers");
    await until(() => end() === "joined");
    run.phone.receive({ type: "hangUp", callId: "a" });
    await run.heard("ended", "a");
    await until(() => methods(peer).filter((method) => method === "BYE").length === 2);
  });

  test.each(["sip:desk@exchange.example", "sip:desk@127.0.0.1:9"])(
    "to %s, another host, is not made",
    async (target) => {
      const { peer, end } = await setStage("answers", target);
      await until(() => end() !== null);
      expect(end()).toBe("unsupported");
      expect(peer.heard.filter(({ method }) => method === "INVITE")).toHaveLength(1);
    },
  );
});
