// The patients of the part talk, in a separate process: rings, answers, talks by script, and reports the measurements
// of each call to its parent. All patients share one timer.
import { byeToCaller, heard, reply, type Heard } from "../../test/telephony/sip/transport/scripted-peer.ts";
import { createBeats, everyStep, type Punctuality } from "./talk-beat.ts";
import {
  ALAW_SILENCE,
  FRAME_BYTES,
  FRAME_MS,
  Patient,
  PAYLOAD_TYPE_PCMA,
  scriptOf,
  type Measured,
  type Reply,
} from "./talk-patient.ts";

export type ToPatients = { type: "scripts"; scripts: Reply[][] } | { type: "measure" } | { type: "report" };

export type FromPatients =
  | { type: "listening"; port: number; barePort: number }
  | { type: "ended"; number: string; measured: Measured }
  | { type: "report"; calls: Punctuality; bare: Punctuality };

const LOOPBACK = "127.0.0.1";
const HEADER_BYTES = 12;
const STEP_MS = 5;
const PHASES = FRAME_MS / STEP_MS;
/** People take some seconds to pick up; this is the shortest time. */
const RING_MS = 1_500;
/** A call that has not ended by then is stuck. */
const LONGEST_CALL_MS = 90_000;

interface Call {
  invite: Heard;
  number: string;
  tag: string;
  sipPort: number;
  phase: number;
  patient: Patient | null;
  socket: Bun.udp.Socket<"buffer">;
  packet: Buffer;
  sent: number;
  audio: { address: string; port: number };
}

const beats = createBeats();
const bareBeats = createBeats();
const calls = new Map<string, Call>();
let scripts: Reply[][] = [];
let count = 0;
const tell = (message: FromPatients) => process.send?.(message);

function audioOf(invite: Heard): Call["audio"] {
  const address = /^c=IN IP4 (\S+)/m.exec(invite.text)?.[1] ?? LOOPBACK;
  return { address, port: Number(/^m=audio (\d+)/m.exec(invite.text)?.[1] ?? 0) };
}

const sdp = (port: number) =>
  [
    "v=0",
    `o=patient 1 1 IN IP4 ${LOOPBACK}`,
    "s=-",
    `c=IN IP4 ${LOOPBACK}`,
    "t=0 0",
    `m=audio ${port} RTP/AVP ${PAYLOAD_TYPE_PCMA} 101`,
    "a=rtpmap:101 telephone-event/8000",
    "",
  ].join("\r\n");

async function openAudio(id: string): Promise<Bun.udp.Socket<"buffer">> {
  return Bun.udpSocket({
    hostname: LOOPBACK,
    port: 0,
    socket: {
      data(_, packet) {
        const now = performance.now();
        if (packet.length <= HEADER_BYTES || (packet.readUInt8(1) & 0x7f) !== PAYLOAD_TYPE_PCMA) return;
        beats.note(packet, now);
        calls.get(id)?.patient?.hear(packet, HEADER_BYTES, now);
      },
      error() {},
    },
  });
}

function newPacket(): Buffer {
  const packet = Buffer.alloc(HEADER_BYTES + FRAME_BYTES, ALAW_SILENCE);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8(PAYLOAD_TYPE_PCMA, 1);
  packet.writeUInt32BE(0x1000 + count, 8);
  return packet;
}

async function ring(own: Bun.udp.Socket<"buffer">, invite: Heard, sipPort: number): Promise<void> {
  const id = invite.header("call-id");
  own.send(reply(invite, "180 Ringing", { tag: id.slice(0, 8) }), sipPort, LOOPBACK);
  if (calls.has(id)) return;
  const number = /<sip:([^@;>]+)/.exec(invite.header("to"))?.[1] ?? "";
  const call: Call = {
    invite,
    number,
    tag: id.slice(0, 8),
    sipPort,
    phase: count++ % PHASES,
    patient: null,
    socket: own,
    packet: newPacket(),
    sent: 0,
    audio: audioOf(invite),
  };
  calls.set(id, call);
  call.socket = await openAudio(id);
  setTimeout(() => {
    if (!calls.has(id)) return;
    const headers = [`Contact: <sip:patient@${LOOPBACK}:${own.port}>`];
    own.send(reply(invite, "200 OK", { tag: call.tag, body: sdp(call.socket.port), headers }), call.sipPort, LOOPBACK);
    call.patient = new Patient(scripts[scriptOf(number, scripts.length)] ?? [], performance.now());
  }, RING_MS);
  setTimeout(() => {
    if (calls.get(id) === call) own.send(byeToCaller(call.invite, call.tag, own.port), call.sipPort, LOOPBACK);
  }, LONGEST_CALL_MS);
}

function end(id: string): void {
  const call = calls.get(id);
  if (!call) return;
  calls.delete(id);
  if (!call.patient) return;
  tell({ type: "ended", number: call.number, measured: call.patient.measured });
  // Keeps the port for packets still in flight, so no other call receives them.
  setTimeout(() => call.socket.close(), 1_000);
}

function speak(call: Call, now: number): void {
  const { patient, packet, socket, audio } = call;
  if (!patient) return;
  const frame = patient.next(now);
  if (frame) packet.set(frame, HEADER_BYTES);
  else packet.fill(ALAW_SILENCE, HEADER_BYTES);
  packet.writeUInt16BE(call.sent & 0xffff, 2);
  packet.writeUInt32BE((call.sent++ * FRAME_BYTES) >>> 0, 4);
  socket.send(packet, audio.port, audio.address);
}

const sip = await Bun.udpSocket({
  hostname: LOOPBACK,
  port: 0,
  socket: {
    data(own, bytes, port) {
      const request = heard(bytes.toString("latin1"));
      const id = request.header("call-id");
      if (request.method.startsWith("SIP/")) {
        if (request.header("cseq").endsWith(" BYE")) end(id);
      } else if (request.method === "INVITE") {
        void ring(own, request, port);
      } else if (request.method !== "ACK") {
        own.send(reply(request, "200 OK"), port, LOOPBACK);
        if (request.method === "BYE" || request.method === "CANCEL") end(id);
      }
    },
    error() {},
  },
});
const bare = await Bun.udpSocket({
  hostname: LOOPBACK,
  port: 0,
  socket: { data: (_, packet) => bareBeats.note(packet, performance.now()), error() {} },
});

everyStep(STEP_MS, (step, now) => {
  for (const call of calls.values()) if (call.phase === step % PHASES) speak(call, now);
});

process.on("message", (order: ToPatients) => {
  if (order.type === "scripts") scripts = order.scripts;
  if (order.type === "measure") {
    beats.clear();
    bareBeats.clear();
  }
  if (order.type === "report") tell({ type: "report", calls: beats.report(), bare: bareBeats.report() });
});
tell({ type: "listening", port: sip.port, barePort: bare.port });
