// A scripted peer behind a NAT and a bad network: its SDP names one address, its audio comes from another, and what it
// says and hears is lost, late, out of order or doubled as a seed has it. Over real sockets, 20 ms at a time.
import { afterEach } from "bun:test";
import { decodeG711, encodeG711, G711_SILENCE } from "../../src/audio/g711.ts";
import { emptyRtpHeader, isRtcp, parseRtp, writeRtpHeader } from "../../src/telephony/rtp/rtp.ts";
import { friendly, udpPeer, type UdpPeer } from "../telephony/sip/transport/scripted-peer.ts";
import { passThrough, type Impairment, type Timed } from "./impaired-network.ts";
import { dripping } from "./pace.ts";

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const SSRC = 815;
/** How long the peer waits before it plays what came. */
const WAIT_MS = 100;

export interface FarPeer {
  readonly sip: UdpPeer;
  /** Audio packets received at the SDP's address, where no peer listens. */
  readonly gotAtNamedAddress: number;
  /** Packets of audio that came to where it really is. */
  readonly got: number;
  /**
   * Sends what arrives until so long after its first word, to this port on loopback: its words, and silence after them.
   */
  speak(port: number, untilMs: number): void;
  /** The same in real time, from now on. */
  talkTo(port: number): void;
  /** What it hears of us by now, after our packets went through its network too. */
  heard(): Int16Array;
  /** Hangs up the call that we made to it. */
  hangUp(port: number): void;
}

export interface FarPeerOptions {
  says: Int16Array;
  network: Impairment;
  /** What its SDP says. */
  namedAddress: string;
  /** Where it sends from. */
  realAddress: string;
}

const closers: (() => void)[] = [];

/** For the top of a test file. */
export function closeFarPeersAfterEach(): void {
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });
}

export async function farPeer({ says, network, namedAddress, realAddress }: FarPeerOptions): Promise<FarPeer> {
  const received: Uint8Array[] = [];
  let gotAtNamedAddress = 0;
  const audio = await audioSocket(realAddress, (bytes) => void received.push(bytes));
  const named = await audioSocket(namedAddress, () => void gotAtNamedAddress++);
  const sdp = [
    "v=0",
    `o=peer 1 1 IN IP4 ${namedAddress}`,
    "s=-",
    `c=IN IP4 ${namedAddress}`,
    "t=0 0",
    `m=audio ${named.port} RTP/AVP 0 101`,
    "a=rtpmap:101 telephone-event/8000",
    "",
  ].join("\r\n");
  const sip = await udpPeer((request, self) => friendly(request, `sip:peer@127.0.0.1:${self.port}`, sdp));
  closers.push(() => {
    for (const socket of [audio, named, sip]) socket.close();
  });

  const { arrivals } = passThrough(packetsOf(says), network);
  let next = 0;
  function speak(port: number, untilMs: number): void {
    for (; (arrivals[next]?.atMs ?? Infinity) <= untilMs; next++) {
      try {
        audio.send(arrivals[next]!.packet, port, "127.0.0.1");
      } catch {
        // The call is over and its port is closed: a peer far away would not even be told.
      }
    }
  }

  return {
    sip,
    get gotAtNamedAddress() {
      return gotAtNamedAddress;
    },
    get got() {
      return received.length;
    },
    speak,
    talkTo(port) {
      let nowMs = 0;
      closers.push(dripping(FRAME_MS, () => speak(port, (nowMs += FRAME_MS))));
    },
    heard: () => playedOf(received, network),
    hangUp: (port) => sip.send(goodbye(sip), port),
  };
}

async function audioSocket(hostname: string, onAudio: (bytes: Uint8Array) => void) {
  return Bun.udpSocket({
    hostname,
    port: 0,
    socket: {
      data(_, bytes) {
        if (!isRtcp(bytes)) onAudio(Uint8Array.from(bytes));
      },
      error() {},
    },
  });
}

/** The words, and silence for a minute after them. */
function packetsOf(says: Int16Array): Timed<Uint8Array>[] {
  const bytes = new Uint8Array(says.length + 60 * 8_000).fill(G711_SILENCE.PCMU);
  bytes.set(encodeG711(says, "PCMU"));
  return Array.from({ length: Math.floor(bytes.length / FRAME_SAMPLES) }, (_, i) => {
    const packet = new Uint8Array(12 + FRAME_SAMPLES);
    writeRtpHeader(packet, 0, i === 0, (65_500 + i) & 0xffff, (0xffff_8000 + i * FRAME_SAMPLES) >>> 0, SSRC);
    packet.set(bytes.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES), 12);
    return { atMs: i * FRAME_MS, packet };
  });
}

/** By the packets' own time: how busy the machine is that carries them does not come into it. */
function playedOf(received: readonly Uint8Array[], network: Impairment): Int16Array {
  const header = emptyRtpHeader();
  const timed: Timed<{ from: number; packet: Uint8Array }>[] = [];
  let first: number | null = null;
  for (const packet of received) {
    if (!parseRtp(packet, header) || header.payloadType !== 0) continue;
    first ??= header.timestamp;
    const from = (header.timestamp - first) >>> 0;
    timed.push({ atMs: from / 8, packet: { from, packet } });
  }
  const played = new Uint8Array((timed.at(-1)?.packet.from ?? 0) + WAIT_MS * 8 + FRAME_SAMPLES).fill(G711_SILENCE.PCMU);
  for (const { atMs, packet } of passThrough(timed, network).arrivals) {
    const at = packet.from + WAIT_MS * 8;
    if (atMs <= at / 8) played.set(packet.packet.subarray(12), at);
  }
  return decodeG711(played, "PCMU");
}

function goodbye({ heard, port }: UdpPeer): string {
  const invite = heard.find(({ method }) => method === "INVITE");
  if (!invite) throw new Error("Nobody has called.");
  return [
    `BYE ${/<([^>]+)>/.exec(invite.header("contact"))?.[1] ?? ""} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKfar`,
    `From: ${invite.header("to")};tag=peer`,
    `To: ${invite.header("from")}`,
    `Call-ID: ${invite.header("call-id")}`,
    "CSeq: 1 BYE",
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");
}
