// An emergency on the compiled binary, over SIP with a peer that acts as both telephones: the patient calls for help,
// and the call is transferred to the desk while the patient stays on the line.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { decodeG711, encodeG711 } from "../../src/audio/g711.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, place, type Call } from "../support/calls.ts";
import { freeSipPort } from "../support/free-ports.ts";
import { findSpeech } from "../support/patient/patient.ts";
import { inRoom, roomNamed } from "../support/patient/room.ts";
import { sayWithFlite } from "../support/patient/voices.ts";
import { newPatient, sipHospital, type SipHospital } from "../support/sip-hospital.ts";
import { until } from "../support/until.ts";
import { byeToCaller, friendly, reply, SDP, udpPeer, type Heard } from "../telephony/sip/transport/scripted-peer.ts";

leaveNothingBehind();

const DESK = "100";
const FRAME = 160;
/** Generous timeout for a busy machine. */
const WITHIN = { withinMs: 150_000, everyMs: 100 };

let hospital: SipHospital;
let server: Running;
beforeAll(async () => {
  hospital = await sipHospital();
  server = await hospital.start({ RINGWARD_SPEECH__RECOGNISERS: "1" });
  // Before the recogniser is ready, calls use keys only.
  const isListening = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`, { keepalive: false })).text();
    return /^ringward_speech_recognisers 1$/m.test(metrics) && /^ringward_speech_spotters 1$/m.test(metrics);
  };
  await until(isListening, { withinMs: 400_000, everyMs: 200, what: () => "the recogniser does not start" });
}, 420_000);
afterAll(() => server.stop());

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Sends and receives A-law over RTP: one frame for each received frame. */
async function telephone() {
  let heard = new Int16Array(0);
  let saying = new Int16Array(0);
  let [at, sequence, to] = [0, 0, 9];
  const rtp = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(own, bytes) {
        if (bytes.length !== 12 + FRAME) return;
        const more = new Int16Array(heard.length + FRAME);
        more.set(heard);
        more.set(decodeG711(new Uint8Array(bytes.subarray(12)), "PCMA"), heard.length);
        heard = more;
        own.send(nextPacket(own.port), to, "127.0.0.1");
      },
      error() {},
    },
  });
  open.push(() => rtp.close());

  function nextPacket(ssrc: number): Buffer {
    const packet = Buffer.alloc(12 + FRAME);
    packet.writeUInt16BE(0x8008, 0);
    packet.writeUInt16BE(++sequence & 0xffff, 2);
    packet.writeUInt32BE((sequence * FRAME) >>> 0, 4);
    packet.writeUInt32BE(ssrc, 8);
    const frame = new Int16Array(FRAME);
    frame.set(saying.subarray(at, at + FRAME));
    at += FRAME;
    packet.set(encodeG711(frame, "PCMA"), 12);
    return packet;
  }

  return {
    sdp: SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`),
    heard: () => heard,
    connect: (invite: Heard) => void (to = Number(/m=audio (\d+)/.exec(invite.text)?.[1] ?? 0)),
    say(samples: Int16Array) {
      saying = Int16Array.from(samples);
      at = 0;
    },
  };
}

const isForDesk = ({ text }: Heard) => text.startsWith(`INVITE sip:${DESK}@`);

/** The patient answers, listens to the first question and says these words. */
async function cries(words: string, atDesk: (request: Heard, contact: string, sdp: string) => string | null) {
  const [patient, desk] = [await telephone(), await telephone()];
  const port = freeSipPort();
  const peer = await udpPeer(
    (request) => {
      const contact = `sip:peer@127.0.0.1:${port}`;
      if (isForDesk(request)) return atDesk(request, contact, desk.sdp);
      return friendly(request, contact, patient.sdp);
    },
    "127.0.0.1",
    port,
  );
  open.push(() => peer.close());
  const { agentId } = await hospital.addLine({ port, transferTo: DESK, lines: 2 });
  const callId = await place(server, { agent_id: agentId, user_number: newPatient(), user_name: "Asha" });
  const invites = () => peer.heard.filter(({ method }) => method === "INVITE");
  await until(() => invites().length > 0, { ...WITHIN, what: () => "nobody was called" });
  patient.connect(invites()[0]!);
  const cry = inRoom(sayWithFlite(words, "rms"), roomNamed("quiet", 1), 1);
  let from = 0;
  // Repeats the words whenever the agent is silent, as a person in danger would.
  const isDeskCalled = () => {
    const { voicedMs, silentMs } = findSpeech(patient.heard(), from);
    if (voicedMs > 300 && silentMs > 900) {
      patient.say(cry);
      from = patient.heard().length + cry.length;
    }
    return invites().some(isForDesk);
  };
  await until(isDeskCalled, { ...WITHIN, what: () => "the desk was not called" });
  return { patient, desk, peer, callId, deskInvite: invites().find(isForDesk)! };
}

const agentWords = ({ call_transcript }: Call) =>
  (call_transcript ?? [])
    .filter(({ speaker }) => speaker === "agent")
    .map(({ text }) => text)
    .join(" ");

test("a busy desk returns the call to the patient with the emergency number", async () => {
  const { callId } = await cries("I have chest pain, and I cannot breathe.", (request) =>
    request.method === "INVITE" ? reply(request, "486 Busy Here") : null,
  );
  const call = await finished(server, callId);
  expect(call).toMatchObject({ emergency_outcome: "busy", extracted_details: { answer: "emergency" } });
  expect(agentWords(call)).toMatch(
    /This may be an emergency\..*the line of the hospital is busy.*call the emergency number now/,
  );
}, 400_000);

test("a desk that answers talks to the patient, who never left the line", async () => {
  const { patient, desk, peer, callId, deskInvite } = await cries(
    "My father is not breathing.",
    (request, contact, sdp) => friendly(request, contact, sdp),
  );
  desk.connect(deskInvite);
  const words = sayWithFlite("This is the desk, what has happened?", "slt");
  const from = patient.heard().length;
  desk.say(inRoom(words, roomNamed("quiet", 1), 1));
  await until(() => findSpeech(patient.heard(), from).voicedMs > 1_000, {
    ...WITHIN,
    what: () => "the desk is not heard",
  });
  const before = desk.heard().length;
  patient.say(inRoom(sayWithFlite("He fell down in the kitchen.", "rms"), roomNamed("quiet", 1), 1));
  await until(() => findSpeech(desk.heard(), before).voicedMs > 700, {
    ...WITHIN,
    what: () => "the patient is not heard",
  });
  expect(peer.heard.filter(({ method }) => method === "BYE" || method === "REFER")).toEqual([]);
  peer.send(byeToCaller(deskInvite, "peer", peer.port), hospital.sipPort);
  const call = await finished(server, callId);
  expect(call).toMatchObject({
    emergency_outcome: "connected",
    call_analytics: { disposition: "transferred" },
    // The desk agreed to nothing.
    recording: { from: expect.any(Number), until: expect.any(Number) },
  });
}, 400_000);
