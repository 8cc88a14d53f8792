// A whole call over a bad network in simulated time: our audio stream on one side, a computed network and peer on the
// other. The peer sends a sound and plays what it receives without concealment, as the simplest telephone does.
import { decodeG711, encodeG711, G711_SILENCE } from "../../src/audio/g711.ts";
import { playableOf } from "../../src/telephony/rtp/playable.ts";
import { emptyRtpHeader, parseRtp, writeRtpHeader } from "../../src/telephony/rtp/rtp.ts";
import type { MediaStats } from "../../src/telephony/line-report.ts";
import { drivenCall, sdpNaming } from "../telephony/rtp/driven-call.ts";
import { correlateInPieces, type PiecewiseMatch } from "./correlate.ts";
import { passThrough, type Impairment, type Passage, type Timed } from "./impaired-network.ts";

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const PEER = { address: "192.0.2.10", port: 4_000 };
const PEERS_SSRC = 4_711;
/** Near the ends of both counters, so that every call goes over them. */
const FIRST = { sequence: 65_500, timestamp: 0xffff_8000 };
/** Long enough for what is still under way at the end. */
const AFTERWARDS_MS = 400;

/** How the peer numbers its packets. */
export interface Numbering {
  ssrc: number;
  sequence: number;
  timestamp: number;
}

/** As every sender does it: one more, and 20 ms later. */
const evenly: (from: Numbering) => (index: number) => Numbering =
  ({ ssrc, sequence, timestamp }) =>
  (i) => ({ ssrc, sequence: sequence + i, timestamp: timestamp + i * FRAME_SAMPLES });

/** From this packet on, the peer counts on from these. */
export function changedAt(packet: number, changes: Partial<Numbering>): (index: number) => Numbering {
  const before = evenly({ ssrc: PEERS_SSRC, ...FIRST });
  const after = evenly({ ...before(packet), ...changes });
  return (i) => (i < packet ? before(i) : after(i - packet));
}

export interface HeardByUs {
  readonly match: PiecewiseMatch;
  passage: Passage<unknown>;
  stats: MediaStats;
  /** For each frame of the clock, whether anything sounded. */
  frames: boolean[];
}

/** The peer says `said`, and this is what we hear, and record. */
export function heardByUs(said: Int16Array, impairment: Impairment, options: Partial<Saying> = {}): HeardByUs {
  const passage = passThrough(packetsOf(said, options), impairment);
  const samples: number[] = [];
  const frames: boolean[] = [];
  const call = drivenCall({
    onHeard(frame, isHeard) {
      samples.push(...frame);
      frames.push(isHeard);
    },
  });
  call.stream.negotiated(sdpNaming(PEER));
  call.stream.answered();
  let next = 0;
  const endMs = (said.length / FRAME_SAMPLES) * FRAME_MS + AFTERWARDS_MS;
  while (call.now() < endMs) {
    for (; (passage.arrivals[next]?.atMs ?? Infinity) <= call.now(); next++) {
      const arrival = passage.arrivals[next];
      // A copy has bytes of its own: what is received is changed in place.
      if (arrival) call.rtp(PEER, arrival.packet.slice());
    }
    call.tick();
  }
  const heard = Int16Array.from(samples);
  const stats = call.stream.stats();
  return {
    // The dear part: made where it is asked for.
    get match() {
      return correlateInPieces(heard, said);
    },
    passage,
    stats,
    frames,
  };
}

export interface Saying {
  packetMs: number;
  numbering: (index: number) => Numbering;
}

function packetsOf(said: Int16Array, { packetMs = FRAME_MS, numbering }: Partial<Saying>): Timed<Uint8Array>[] {
  const encoded = encodeG711(said, "PCMU");
  const packetBytes = packetMs * 8;
  return Array.from({ length: Math.floor(encoded.length / packetBytes) }, (_, i) => {
    const packet = new Uint8Array(12 + packetBytes);
    const inOrder = { ssrc: PEERS_SSRC, sequence: FIRST.sequence + i, timestamp: FIRST.timestamp + i * packetBytes };
    const { ssrc, sequence, timestamp } = numbering?.(i) ?? inOrder;
    writeRtpHeader(packet, 0, false, sequence & 0xffff, timestamp >>> 0, ssrc);
    packet.set(encoded.subarray(i * packetBytes, (i + 1) * packetBytes), 12);
    return { atMs: i * packetMs, packet };
  });
}

export interface HeardByPeer {
  match: PiecewiseMatch;
  passage: Passage<unknown>;
}

/**
 * We say `said`, and this is what a telephone hears that waits for 100 ms and plays silence for what is not there by
 * then.
 */
export function heardByPeer(said: Int16Array, impairment: Impairment, waitMs = 100): HeardByPeer {
  const sent: Timed<Uint8Array>[] = [];
  const call = drivenCall({ onSent: (packet) => void sent.push({ atMs: call.now(), packet }) });
  call.stream.negotiated(sdpNaming(PEER));
  call.stream.answered();
  call.stream.play(playableOf(said), () => {});
  for (let i = 0; i < said.length / FRAME_SAMPLES; i++) call.tick();
  const passage = passThrough(sent, impairment);
  const played = new Uint8Array(said.length + (waitMs + AFTERWARDS_MS) * 8).fill(G711_SILENCE.PCMU);
  const header = emptyRtpHeader();
  const [start] = sent;
  if (!start || !parseRtp(start.packet, header)) throw new Error("We sent nothing.");
  const firstTimestamp = header.timestamp;
  for (const { atMs, packet } of passage.arrivals) {
    if (!parseRtp(packet, header)) throw new Error("We sent what is not RTP.");
    const from = (header.timestamp - firstTimestamp) >>> 0;
    const playsAtMs = start.atMs + from / 8 + waitMs;
    if (atMs <= playsAtMs) played.set(packet.subarray(12), from + waitMs * 8);
  }
  return { match: correlateInPieces(decodeG711(played, "PCMU"), said), passage };
}
