// RTP packets (RFC 3550, section 5.1): written into and read from reused buffers, without allocation per packet.

export const RTP_HEADER_BYTES = 12;
/** RTP clock of G.711, of telephone-event and, for historical reasons (RFC 3551, section 4.5.2), of G.722. */
export const SAMPLES_PER_MS = 8;
export const FRAME_MS = 20;
export const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS;
/** At 16 kHz. */
export const WIDE_FRAME_SAMPLES = FRAME_SAMPLES * 2;

export const PAYLOAD_TYPE = { pcmu: 0, pcma: 8, g722: 9, comfortNoise: 13 } as const;

/** Parsed header; the payload is `bytes[payloadStart … payloadEnd)`. */
export interface RtpHeader {
  payloadType: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payloadStart: number;
  payloadEnd: number;
}

export function emptyRtpHeader(): RtpHeader {
  return { payloadType: 0, marker: false, sequence: 0, timestamp: 0, ssrc: 0, payloadStart: 0, payloadEnd: 0 };
}

const byteAt = (bytes: Uint8Array, at: number) => bytes[at] ?? 0;
const uint16At = (bytes: Uint8Array, at: number) => (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);
const uint32At = (bytes: Uint8Array, at: number) => uint16At(bytes, at) * 0x1_0000 + uint16At(bytes, at + 2);

/** RTCP types 192 to 223 on the RTP port (RFC 5761, section 4): some peers multiplex both without negotiation. */
export function isRtcp(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && byteAt(bytes, 0) >> 6 === 2 && byteAt(bytes, 1) >= 192 && byteAt(bytes, 1) <= 223;
}

/** Start of the payload, after contributors and extension; null if it is not RTP version 2. */
export function rtpHeaderBytes(bytes: Uint8Array): number | null {
  if (bytes.length < RTP_HEADER_BYTES) return null;
  const first = byteAt(bytes, 0);
  if (first >> 6 !== 2 || isRtcp(bytes)) return null;
  let start = RTP_HEADER_BYTES + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (start + 4 > bytes.length) return null;
    start += 4 + uint16At(bytes, start + 2) * 4;
  }
  return start <= bytes.length ? start : null;
}

/** False, with `into` undefined, unless it is a complete RTP version 2 packet. */
export function parseRtp(bytes: Uint8Array, into: RtpHeader): boolean {
  const start = rtpHeaderBytes(bytes);
  if (start === null) return false;
  let end = bytes.length;
  if (byteAt(bytes, 0) & 0x20) {
    const padding = byteAt(bytes, end - 1);
    if (padding === 0) return false;
    end -= padding;
  }
  if (start > end) return false;

  into.marker = (byteAt(bytes, 1) & 0x80) !== 0;
  into.payloadType = byteAt(bytes, 1) & 0x7f;
  into.sequence = uint16At(bytes, 2);
  into.timestamp = uint32At(bytes, 4);
  into.ssrc = uint32At(bytes, 8);
  into.payloadStart = start;
  into.payloadEnd = end;
  return true;
}

/** Writes the twelve bytes before the payload. Sequence and timestamp wrap around. */
export function writeRtpHeader(
  bytes: Uint8Array,
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  bytes[0] = 0x80;
  bytes[1] = (marker ? 0x80 : 0) | payloadType;
  bytes[2] = sequence >>> 8;
  bytes[3] = sequence;
  bytes[4] = timestamp >>> 24;
  bytes[5] = timestamp >>> 16;
  bytes[6] = timestamp >>> 8;
  bytes[7] = timestamp;
  bytes[8] = ssrc >>> 24;
  bytes[9] = ssrc >>> 16;
  bytes[10] = ssrc >>> 8;
  bytes[11] = ssrc;
}

/** Signed distance of `a` ahead of `b` on a wrapping 32-bit counter. */
export function timestampDistance(a: number, b: number): number {
  return (a - b) | 0;
}

/** The same for 16 bits. */
export function sequenceDistance(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}
