// A trunk behind a NAT: its SDP names 127.0.0.2 and its audio comes from 127.0.0.3, over a network with 3 % loss, up to
// 50 ms of jitter, reordering and duplicates. With symmetric_rtp both sides hear each other; without it neither does,
// and the call's page says why.
import { beforeAll, describe, expect, test } from "bun:test";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, place } from "../support/calls.ts";
import { heardShare, WELL_HEARD } from "../support/correlate.ts";
import { dashboardOf } from "../support/dashboard-visit.ts";
import { closeFarPeersAfterEach, farPeer, type FarPeer } from "../support/far-peer.ts";
import { BAD_NETWORK } from "../support/impaired-network.ts";
import { newPatient, recordingOf, sipHospital, type SipHospital } from "../support/sip-hospital.ts";
import { saidOver, speechLike } from "../support/sounds.ts";
import { until } from "../support/until.ts";
import { loudness } from "../telephony/wav.ts";

leaveNothingBehind();
closeFarPeersAfterEach();

const OUR_WORDS = speechLike(1, 1);
const THEIR_WORDS = speechLike(1, 2);
/** Three times our prompt, at 50 packets a second, and a margin. */
const SAID_PACKETS = 600;
/** Five seconds without a packet, the check of each second, and a margin. */
const DEAF_PACKETS = 800;
const RECORDED = { greeting: saidOver(OUR_WORDS), menu: speechLike(8, 3), goodbye: speechLike(0.4, 4) };

interface Heard {
  peer: FarPeer;
  agent: Int16Array;
  caller: Int16Array;
  media: { one_way_audio: boolean; ignored_packets: number; received_packets: number; lost_packets: number };
}

let hospital: SipHospital;
let server: Running;
let withSymmetric: Heard;
let without: Heard;

async function callFrom(peer: FarPeer, agentId: string, isEnough: () => boolean): Promise<Heard> {
  const callId = await place(server, { agent_id: agentId, user_number: newPatient() });
  await until(() => peer.sip.heard.some(({ method }) => method === "ACK"));
  const invite = peer.sip.heard.find(({ method }) => method === "INVITE");
  peer.talkTo(Number(/^m=audio (\d+)/m.exec(invite!.text)![1]));
  await until(isEnough, { everyMs: 100 });
  peer.hangUp(hospital.sipPort);
  const { agent, caller } = await recordingOf(server, await finished(server, callId));
  const owner = await dashboardOf(server);
  const page = JSON.parse((await owner.ask("GET", `calls/${callId}/line`)).text) as { media: Heard["media"] };
  return { peer, agent, caller, media: page.media };
}

beforeAll(async () => {
  hospital = await sipHospital();
  const far = () =>
    farPeer({
      says: saidOver(THEIR_WORDS, 12),
      network: BAD_NETWORK,
      namedAddress: "127.0.0.2",
      realAddress: "127.0.0.3",
    });
  const [followed, ignored] = [await far(), await far()];
  const lines = [
    await hospital.addLine({ port: followed.sip.port, recorded: RECORDED, symmetricRtp: true }),
    await hospital.addLine({ port: ignored.sip.port, recorded: RECORDED }),
  ] as const;
  server = await hospital.start();
  [withSymmetric, without] = await Promise.all([
    callFrom(followed, lines[0].agentId, () => followed.got > SAID_PACKETS),
    callFrom(ignored, lines[1].agentId, () => ignored.gotAtNamedAddress > DEAF_PACKETS),
  ]);
}, 180_000);

describe("with symmetric_rtp", () => {
  test("we hear the peer despite all of it, and so does the recording", () => {
    expect(heardShare(withSymmetric.caller, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(withSymmetric.media).toMatchObject({ one_way_audio: false });
    expect(withSymmetric.media.lost_packets).toBeGreaterThan(0);
  });

  test("the peer hears us at its real address, through its own network", () => {
    expect(heardShare(withSymmetric.peer.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(withSymmetric.agent, OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
  });
});

describe("without it", () => {
  test("audio from the other address is ignored, and none of ours is sent there", () => {
    expect(loudness(without.caller, 0, without.caller.length / 8_000)).toBe(0);
    expect(without.peer.got).toBe(0);
    expect(without.peer.gotAtNamedAddress).toBeGreaterThan(DEAF_PACKETS);
  });

  test("the call's page warns that no audio arrived, and that packets from elsewhere did; so does the log", () => {
    expect(without.media).toMatchObject({ one_way_audio: true, received_packets: 0 });
    expect(without.media.ignored_packets).toBeGreaterThan(100);
    expect(server.output()).toContain("set its symmetric_rtp");
  });
});
