// Matrix rows shown with the scripted peer: what SIPp and baresip cannot do, and every response code.
import { afterEach, expect } from "bun:test";
import { silentLogger } from "../../../../src/core/logger.ts";
import type { AudioStream } from "../../../../src/telephony/rtp/audio-stream.ts";
import { playableOf } from "../../../../src/telephony/rtp/playable.ts";
import { heardShare, WELL_HEARD } from "../../../support/correlate.ts";
import { farPeer } from "../../../support/far-peer.ts";
import { GOOD_NETWORK, type Impairment } from "../../../support/impaired-network.ts";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { saidOver, speechLike } from "../../../support/sounds.ts";
import { until } from "../../../support/until.ts";
import { expectAllOver } from "./row.ts";
import { heardBy, stageWith } from "../../rtp/stage.ts";
import { startAgent, trunkAt, type AgentUnderTest } from "../call/agent-under-test.ts";
import {
  bye,
  friendly,
  isRightDigest,
  reply,
  SDP,
  udpPeer,
  type Heard,
  type UdpPeer,
} from "../transport/scripted-peer.ts";
import { scriptedCaller } from "../call/scripted-caller.ts";
import { callToUs, tagOfOurs, tlsPeer } from "../transport/tls-peer.ts";
import type { SrtpPolicy, TrunkSettings } from "../../../../src/trunks/trunk-settings.ts";

const ca = createPrivateCa();
const KEY = "WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz";
const TLS_CONTACT = "sip:peer@127.0.0.1:5061;transport=tls";
const SECURE_SDP = `${SDP.replace("RTP/AVP", "RTP/SAVP")}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^20\r\n`;
const OUR_WORDS = speechLike(0.5, 1);
const THEIR_WORDS = speechLike(0.5, 2);

/** Past the five seconds after which a line without sound is told. */
const TALK_MS = 6_500;

const closers: (() => unknown)[] = [];

/** For the top of the test file. */
export function closePeersAfterEach(): void {
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
}

export async function peerAt(
  address: string,
  answers: (request: Heard, peer: UdpPeer) => string | null,
): Promise<UdpPeer> {
  const peer = await udpPeer(answers, address);
  closers.push(() => peer.close());
  return peer;
}

const peerThat = (answers: (request: Heard, contact: string) => string | null) =>
  peerAt("127.0.0.1", (request, self) => answers(request, `sip:peer@127.0.0.1:${self.port}`));

/** All codes in one call each, one after the other. */
export const refusesWith = (statuses: readonly string[], outcome: string) => async () => {
  let status = "";
  const peer = await peerThat((request) => (request.method === "INVITE" ? reply(request, status) : null));
  const run = await startAgent([trunkAt(peer.port)]);
  for (const [i, one] of statuses.entries()) {
    status = one;
    run.invite({ callId: `call_${i}` });
    expect(await run.ended(`call_${i}`)).toMatchObject({ by: "peer", outcome, sipCode: Number(one.slice(0, 3)) });
  }
};

export const saysNothing = async () => {
  const peer = await peerThat(() => null);
  const timers = { t1Ms: 5, t2Ms: 10, t4Ms: 10 };
  const run = await startAgent([trunkAt(peer.port)], { timers });
  run.invite();
  expect(await run.ended()).toMatchObject({ outcome: "infrastructure_error", sipCode: null });
};

/** It answers with this one codec of those that we offer. */
export const speaks = (codec: string, payloadType: number) => async () => {
  const sdp = SDP.replace("RTP/AVP 8", `RTP/AVP ${payloadType}`);
  const peer = await peerThat((request, contact) => friendly(request, contact, sdp));
  const run = await startAgent([trunkAt(peer.port)]);
  run.invite();
  await run.heard("call_1 answered");
  expect(run.negotiated).toMatchObject([{ codec, payloadType }]);
};

async function overUdp(trunk: Partial<TrunkSettings> = {}) {
  const peer = await peerThat((request, contact) => friendly(request, contact));
  const run = await startAgent([trunkAt(peer.port, trunk)]);
  return { peer, run };
}

async function hungUpByUs(run: AgentUnderTest, transport = "udp"): Promise<void> {
  run.invite();
  await run.heard("call_1 answered");
  run.agent.hangUp("call_1");
  expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  expectAllOver(transport, run);
}

/** Takes the call that rings, and has the peer hang it up. */
async function takenAndHungUp(run: AgentUnderTest, messages: Heard[], say: (method: string, ourTag: string) => void) {
  await until(() => run.inbound.length === 1);
  const { callId } = run.inbound[0]!;
  run.agent.answerInbound(callId, ["PCMA"]);
  await until(() => tagOfOurs(messages) !== "");
  say("ACK", tagOfOurs(messages));
  await run.heard(`${callId} answered`);
  say("BYE", tagOfOurs(messages));
  expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
}

export const weCallOverUdp = async () => hungUpByUs((await overUdp()).run);

export const itHangsUpOverUdp = async () => {
  const { peer, run } = await overUdp();
  run.invite();
  await run.heard("call_1 answered");
  const via = `SIP/2.0/UDP 127.0.0.1:${peer.port};rport`;
  peer.send(
    bye(
      peer.heard.find(({ method }) => method === "INVITE")!,
      via,
      "sip:ringward@127.0.0.1",
    ),
    run.agent.port,
  );
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
};

export const itCallsOverUdp = async () => {
  const peer = await peerThat(() => null);
  const run = await startAgent([trunkAt(peer.port)]);
  const say = (method: string, ourTag?: string) =>
    peer.send(callToUs(method, { transport: "UDP", port: peer.port, ...(ourTag && { ourTag }) }), run.agent.port);
  say("INVITE");
  await takenAndHungUp(run, peer.heard, say);
};

const tlsTrunk = (port: number, srtp: SrtpPolicy = "off") => trunkAt(port, { transport: "tls", caPem: ca.caPem, srtp });

export const weCallOverTls = async () => {
  const peer = await tlsPeer(ca.issue(["127.0.0.1"]));
  await hungUpByUs(await startAgent([tlsTrunk(peer.port)]), "tls");
};

export const itCallsOverTls = async () => {
  const peer = await tlsPeer(ca.issue(["127.0.0.1"]), () => null);
  const run = await startAgent([tlsTrunk(peer.port)]);
  const say = (method: string, ourTag?: string) =>
    peer.sockets[0]!.write(callToUs(method, { transport: "TLS", port: 5061, ...(ourTag && { ourTag }) }));
  await until(() => peer.sockets.length === 1);
  say("INVITE");
  await takenAndHungUp(run, peer.heard, say);
};

/**
 * Whether the call is encrypted where the trunk's setting and what the peer can do meet; null where there is no call.
 */
export const encrypts = (srtp: SrtpPolicy, canEncrypt: boolean, isEncrypted: boolean | null) => async () => {
  const peer = await tlsPeer(ca.issue(["127.0.0.1"]), (request) =>
    request.text.includes("RTP/SAVP") && !canEncrypt
      ? reply(request, "488 Not Acceptable Here")
      : friendly(request, TLS_CONTACT, request.text.includes("RTP/SAVP") ? SECURE_SDP : SDP),
  );
  const run = await startAgent([tlsTrunk(peer.port, srtp)]);
  run.invite();
  if (isEncrypted === null) {
    expect(await run.ended()).toMatchObject({ outcome: "carrier_error" });
    return;
  }
  await run.heard("call_1 answered");
  expect(run.negotiated.map(({ keys }) => keys !== null)).toEqual([isEncrypted]);
};

export const asksForSha256 = async () => {
  const peer = await peerThat((request, contact) => {
    if (request.method !== "INVITE") return friendly(request, contact);
    const signature = request.header("authorization");
    const challenge = `WWW-Authenticate: Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth"`;
    if (!isRightDigest(signature, "INVITE", "s3cret"))
      return reply(request, "401 Unauthorized", { headers: [challenge] });
    return friendly(request, contact);
  });
  await hungUpByUs(await startAgent([trunkAt(peer.port, { username: "ward", secret: "s3cret" })]));
};

/** Staff at the other side hand the call to another telephone: it goes on there, and the first is let go. */
export const isHandedOn = async () => {
  const { peer, run } = await overUdp();
  run.invite();
  await run.heard("call_1 answered");
  const invite = peer.heard.find(({ method }) => method === "INVITE")!;
  const ourTag = /tag=([^;\s]+)/.exec(invite.header("from"))![1];
  const ward = await scriptedCaller({ callId: "ward" });
  ward.callAt(run.agent.port);
  const sdp = SDP.replace(/m=audio \d+/, "m=audio 41010");
  ward.invite([`Replaces: ${invite.header("call-id")};to-tag=${ourTag};from-tag=peer`], sdp);
  await ward.answered("INVITE", 200);
  ward.send("ACK");
  await until(() => peer.heard.some(({ method }) => method === "BYE"));
  expect(run.negotiated.at(-1)).toMatchObject({ port: 41_010 });
  expect(run.endings.size).toBe(0);
  ward.send("BYE", { cseq: 2 });
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
};

export interface FarTalk {
  symmetricRtp: boolean;
  isHeard: boolean;
  network?: Impairment;
  realAddress?: string;
}

/** Behind another address than its SDP names: who hears whom. Our side runs on a clock that the test moves. */
export const talksFromAfar =
  ({ symmetricRtp, isHeard, network = GOOD_NETWORK, realAddress }: FarTalk) =>
  async () => {
    const warnings: string[] = [];
    const stage = stageWith({ logger: { ...silentLogger, warn: (message) => void warnings.push(message) } });
    closers.push(() => stage.engine.stop());
    const named = { namedAddress: "127.0.0.2", realAddress: realAddress ?? "127.0.0.3" };
    const peer = await farPeer({ says: saidOver(THEIR_WORDS), network, ...named });
    const stream: AudioStream = await stage.engine.open("call_1", { recordingFile: null });
    const heard = heardBy(stream);
    const makeMedia = () => stream;
    const run = await startAgent([trunkAt(peer.sip.port, { symmetricRtp })], { makeMedia });
    run.invite();
    await run.heard("call_1 answered");
    stream.answered();
    stream.play(playableOf(saidOver(OUR_WORDS)), () => {});
    for (let ms = 0; ms <= TALK_MS; ms += 20) {
      peer.speak(stream.localPort, ms);
      await stage.clock.advance(20);
    }
    const { oneWayAudio, ignoredPackets } = stream.stats();
    expect({ oneWayAudio, isWarned: warnings.some((words) => words.includes("symmetric_rtp")) }).toEqual({
      oneWayAudio: !isHeard,
      isWarned: !isHeard,
    });
    if (isHeard) {
      expect(heardShare(heard.samples, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
      expect(heardShare(peer.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
      return;
    }
    expect(ignoredPackets).toBeGreaterThan(100);
    expect([heard.frames.filter(Boolean).length, peer.got]).toEqual([0, 0]);
  };
