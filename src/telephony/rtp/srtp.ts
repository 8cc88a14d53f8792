// SRTP and SRTCP (RFC 3711) for one direction of a call: AES-128 in counter mode with HMAC-SHA1 tags. The tag is
// checked first: a forged packet changes no counter and is not decrypted.
import { rtpHeaderBytes } from "./rtp.ts";
import { createPacketHistory, type PacketHistory } from "./srtp-history.ts";
import { createSrtpCipher, MOST_PACKET_BYTES } from "./srtp-cipher.ts";
import { RTCP_TAG_BYTES, RTP_TAG_BYTES, derivedKeys, type SrtpSuite } from "./srtp-keys.ts";

export interface SrtpSender {
  /** Encrypts in place; the buffer needs room for the tag. Returns the new length. */
  protectRtp(packet: Uint8Array, length: number): number;
  protectRtcp(report: Uint8Array): Uint8Array;
}

export interface SrtpReceiver {
  /**
   * Decrypts in place and removes the tag. Null, with the bytes unchanged, if the packet is forged, malformed or
   * replayed.
   */
  unprotectRtp(packet: Uint8Array): Uint8Array | null;
  unprotectRtcp(report: Uint8Array): Uint8Array | null;
}

const RTP_FIXED_BYTES = 12;
/** Version to SSRC, which are not encrypted. */
const RTCP_CLEAR_BYTES = 8;
const RTCP_INDEX_BYTES = 4;
const ENCRYPTED_FLAG = 0x8000_0000;
const MOST_RTCP_INDEX = 0x7fff_ffff;
/** A peer starts a new stream after each transfer; only this many are remembered. */
const MOST_STREAMS = 16;

export function createSrtpSender(suite: SrtpSuite, master: Uint8Array): SrtpSender {
  const rtp = createSrtpCipher(derivedKeys(master, "rtp"));
  const rtcp = createSrtpCipher(derivedKeys(master, "rtcp"));
  const tagBytes = RTP_TAG_BYTES[suite];
  let rolloverCounter = 0;
  let lastSequence = -1;
  let rtcpIndex = 0;

  return {
    protectRtp(packet, length) {
      const view = viewOf(packet);
      const sequence = view.getUint16(2);
      // Our sequence numbers increase by one and are never repeated, so a smaller one has wrapped.
      if (sequence < lastSequence) rolloverCounter += 1;
      lastSequence = sequence;
      rtp.apply(packet, RTP_FIXED_BYTES, length, view.getUint32(8), rolloverCounter, sequence);
      const tag = rtp.tag(packet.subarray(0, length), rolloverCounter);
      for (let i = 0; i < tagBytes; i++) packet[length + i] = tag[i] ?? 0;
      return length + tagBytes;
    },
    protectRtcp(report) {
      rtcpIndex = rtcpIndex === MOST_RTCP_INDEX ? 0 : rtcpIndex + 1;
      const end = report.length + RTCP_INDEX_BYTES;
      const packet = new Uint8Array(end + RTCP_TAG_BYTES);
      packet.set(report);
      const view = viewOf(packet);
      rtcp.apply(packet, RTCP_CLEAR_BYTES, report.length, view.getUint32(4), rtcpIndex >>> 16, rtcpIndex & 0xffff);
      view.setUint32(report.length, (ENCRYPTED_FLAG | rtcpIndex) >>> 0);
      packet.set(rtcp.tag(packet.subarray(0, end), null).subarray(0, RTCP_TAG_BYTES), end);
      return packet;
    },
  };
}

export function createSrtpReceiver(suite: SrtpSuite, master: Uint8Array): SrtpReceiver {
  const rtp = createSrtpCipher(derivedKeys(master, "rtp"));
  const rtcp = createSrtpCipher(derivedKeys(master, "rtcp"));
  const tagBytes = RTP_TAG_BYTES[suite];
  const rtpStreams = new Map<number, PacketHistory>();
  const rtcpStreams = new Map<number, PacketHistory>();

  return {
    unprotectRtp(packet) {
      const end = packet.length - tagBytes;
      if (end < RTP_FIXED_BYTES || packet.length > MOST_PACKET_BYTES) return null;
      const body = packet.subarray(0, end);
      const start = rtpHeaderBytes(body);
      if (start === null) return null;
      const view = viewOf(packet);
      const sequence = view.getUint16(2);
      const ssrc = view.getUint32(8);
      const known = rtpStreams.get(ssrc);
      const index = known ? known.indexOfSequence(sequence) : sequence;
      if (index < 0 || known?.hasSeen(index)) return null;
      const rolloverCounter = Math.floor(index / 0x1_0000);
      if (!isTag(rtp.tag(body, rolloverCounter), packet, end, tagBytes)) return null;
      remember(rtpStreams, ssrc, index);
      rtp.apply(packet, start, end, ssrc, rolloverCounter, sequence);
      return body;
    },
    unprotectRtcp(packet) {
      const tagAt = packet.length - RTCP_TAG_BYTES;
      const end = tagAt - RTCP_INDEX_BYTES;
      if (end < RTCP_CLEAR_BYTES || packet.length > MOST_PACKET_BYTES) return null;
      const view = viewOf(packet);
      const ssrc = view.getUint32(4);
      const flagAndIndex = view.getUint32(end);
      // Unencrypted reports were not negotiated.
      if (flagAndIndex < ENCRYPTED_FLAG) return null;
      const index = flagAndIndex - ENCRYPTED_FLAG;
      if (rtcpStreams.get(ssrc)?.hasSeen(index)) return null;
      if (!isTag(rtcp.tag(packet.subarray(0, tagAt), null), packet, tagAt, RTCP_TAG_BYTES)) return null;
      remember(rtcpStreams, ssrc, index);
      rtcp.apply(packet, RTCP_CLEAR_BYTES, end, ssrc, index >>> 16, index & 0xffff);
      return packet.subarray(0, end);
    },
  };
}

function remember(streams: Map<number, PacketHistory>, ssrc: number, index: number): void {
  let history = streams.get(ssrc);
  if (!history) {
    history = createPacketHistory();
    const oldest = streams.keys().next();
    if (streams.size >= MOST_STREAMS && oldest.done !== true) streams.delete(oldest.value);
    streams.set(ssrc, history);
  }
  history.add(index);
}

/** Constant-time comparison. */
function isTag(tag: Uint8Array, packet: Uint8Array, at: number, length: number): boolean {
  let difference = 0;
  for (let i = 0; i < length; i++) difference |= (tag[i] ?? 0) ^ (packet[at + i] ?? 0);
  return difference === 0;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
