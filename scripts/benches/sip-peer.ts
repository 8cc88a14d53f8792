// SIP peer of the part sip, in a separate process: answers every INVITE, reflects every RTP packet, and records its
// arrival time. It talks to its parent over Bun's IPC channel.
import { byeToCaller, heard, reply, type Heard } from "../../test/telephony/sip/transport/scripted-peer.ts";

/** `report` comes after the calls: while it is built, no packet is reflected. */
export type ToPeer = "measure" | "stop" | "hangUp" | "report";

export type FromPeer =
  | { type: "listening"; port: number }
  /** Established calls as the peer sees them; sent ten times a second. */
  | { type: "calls"; count: number }
  | { type: "report"; report: PeerReport };

export interface PeerReport {
  streams: number;
  packets: number;
  /** Gaps in the received sequence numbers. */
  lost: number;
  /** Packets within 5 ms of the stream's 20 ms clock, aligned to its most punctual packet. */
  onTime: number;
  /** 99th percentile of packet lateness. */
  lateP99Ms: number;
}

const LOOPBACK = "127.0.0.1";
/** Several, because the kernel buffers about 270 small packets per socket while this process is not scheduled. */
const AUDIO_SOCKETS = 64;
const ON_TIME_MS = 5;
const PAYLOAD_TYPE_PCMA = 8;

interface Stream {
  firstSequence: number;
  /** Extended sequence number, relative to the first. */
  highest: number;
  packets: number;
  firstTimestamp: number;
  /** Arrival time minus RTP time, in milliseconds: smaller is more punctual. */
  offsetsMs: number[];
}

let isMeasuring = false;
const streams = new Map<number, Stream>();

function note(packet: Buffer, nowMs: number): void {
  if (packet.length < 12 || (packet.readUInt8(1) & 0x7f) !== PAYLOAD_TYPE_PCMA) return;
  const sequence = packet.readUInt16BE(2);
  const timestamp = packet.readUInt32BE(4);
  const ssrc = packet.readUInt32BE(8);
  const stream = streams.get(ssrc);
  if (!stream) {
    const offsetsMs = [nowMs];
    streams.set(ssrc, { firstSequence: sequence, highest: 0, packets: 1, firstTimestamp: timestamp, offsetsMs });
    return;
  }
  stream.highest = Math.max(stream.highest, (sequence - stream.firstSequence) & 0xffff);
  stream.packets++;
  stream.offsetsMs.push(nowMs - ((timestamp - stream.firstTimestamp) | 0) / 8);
}

function report(): PeerReport {
  const late: number[] = [];
  let [packets, lost] = [0, 0];
  for (const stream of streams.values()) {
    packets += stream.packets;
    lost += stream.highest + 1 - stream.packets;
    const best = stream.offsetsMs.reduce((least, offset) => Math.min(least, offset), Infinity);
    for (const offset of stream.offsetsMs) late.push(offset - best);
  }
  late.sort((a, b) => a - b);
  return {
    streams: streams.size,
    packets,
    lost,
    onTime: late.filter((ms) => ms <= ON_TIME_MS).length,
    lateP99Ms: late[Math.floor(late.length * 0.99)] ?? 0,
  };
}

async function openAudio(): Promise<number[]> {
  const sockets = Array.from({ length: AUDIO_SOCKETS }, () =>
    Bun.udpSocket({
      hostname: LOOPBACK,
      port: 0,
      socket: {
        data(socket, packet, port, address) {
          socket.send(packet, port, address);
          if (isMeasuring) note(packet, performance.now());
        },
        error() {},
      },
    }),
  );
  return (await Promise.all(sockets)).map(({ port }) => port);
}

/** Call-ID → the state for a BYE. */
const calls = new Map<string, { invite: Heard; tag: string; port: number }>();
const answers = new Map<string, string>();

function sdp(audioPort: number): string {
  return [
    "v=0",
    `o=peer 1 1 IN IP4 ${LOOPBACK}`,
    "s=-",
    `c=IN IP4 ${LOOPBACK}`,
    "t=0 0",
    `m=audio ${audioPort} RTP/AVP ${PAYLOAD_TYPE_PCMA} 101`,
    "a=rtpmap:101 telephone-event/8000",
    "",
  ].join("\r\n");
}

async function serve(send: (message: FromPeer) => void): Promise<void> {
  const audioPorts = await openAudio();
  let answered = 0;
  const socket = await Bun.udpSocket({
    hostname: LOOPBACK,
    port: 0,
    socket: {
      data(own, bytes, port, address) {
        const request = heard(bytes.toString("latin1"));
        const id = request.header("call-id");
        if (request.method.startsWith("SIP/") || request.method === "ACK") {
          if (request.header("cseq").endsWith(" BYE")) calls.delete(id);
          return;
        }
        if (request.method === "BYE") calls.delete(id);
        if (request.method !== "INVITE") return void own.send(reply(request, "200 OK"), port, address);
        // A retransmitted INVITE gets the same response, not another call.
        let answer = answers.get(id);
        if (answer === undefined) {
          const tag = `peer${answered}`;
          const body = sdp(audioPorts[answered++ % audioPorts.length] ?? 0);
          answer = reply(request, "200 OK", { tag, body, headers: [`Contact: <sip:peer@${LOOPBACK}:${own.port}>`] });
          answers.set(id, answer);
          calls.set(id, { invite: request, tag, port });
        }
        own.send(answer, port, address);
      },
      error() {},
    },
  });
  setInterval(() => send({ type: "calls", count: calls.size }), 100);
  process.on("message", (order: ToPeer) => {
    if (order === "measure") streams.clear();
    if (order === "measure" || order === "stop") isMeasuring = order === "measure";
    if (order === "report") send({ type: "report", report: report() });
    if (order === "hangUp") hangUp([...calls.keys()]);
  });
  /** One per millisecond, because a burst would overflow the other side; unanswered BYEs are retransmitted. */
  function hangUp(ids: string[]): void {
    const left = ids.filter((id) => calls.has(id));
    if (left.length === 0) return;
    left.forEach((id, i) => setTimeout(() => sayGoodbye(id), i));
    setTimeout(() => hangUp(left), left.length + 500);
  }
  function sayGoodbye(id: string): void {
    const call = calls.get(id);
    if (call) socket.send(byeToCaller(call.invite, call.tag, socket.port), call.port, LOOPBACK);
  }
  send({ type: "listening", port: socket.port });
}

await serve((message) => process.send?.(message));
