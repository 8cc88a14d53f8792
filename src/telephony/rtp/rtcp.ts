// RTCP (RFC 3550, section 6): writes compound packets of a sender or receiver report and a source description, and
// reads the peer's reports on our stream.
import type { ReceptionReport } from "./reception.ts";

const TYPE = { senderReport: 200, receiverReport: 201, sourceDescription: 202, goodbye: 203 } as const;
const REPORT_BLOCK_BYTES = 24;
/** Seconds between the epochs of NTP (1900) and Unix (1970). */
const NTP_EPOCH_SECONDS = 2_208_988_800;
const MOST_SOURCES = 31;

export interface SenderCounts {
  /** Wall clock, in milliseconds since the Unix epoch. */
  nowMs: number;
  rtpTimestamp: number;
  packets: number;
  octets: number;
}

/** Report on the peer's stream, if one was received. */
export interface ReportBlock extends ReceptionReport {
  ssrc: number;
  /**
   * The middle 32 bits of the NTP time in the peer's last sender report, and the time since its arrival; 0 for none.
   */
  lastSenderReport: number;
  sinceLastSenderReportMs: number;
}

export interface RtcpReport {
  ssrc: number;
  /** Identifies us across restarts of a source; contains no personal data. */
  cname: string;
  /** Null if we sent nothing recently: the packet is then a receiver report. */
  sender: SenderCounts | null;
  block: ReportBlock | null;
  /** Adds a BYE packet. */
  goodbye?: boolean;
}

/** NTP's fixed point: 32 bits of seconds and 32 of fraction. */
function ntpOf(epochMs: number): { seconds: number; fraction: number } {
  const seconds = Math.floor(epochMs / 1_000);
  return {
    seconds: (seconds + NTP_EPOCH_SECONDS) >>> 0,
    fraction: Math.floor(((epochMs / 1_000 - seconds) * 2 ** 32) % 2 ** 32),
  };
}

/** The middle 32 bits: seconds in the upper half, 65,536ths in the lower. Wraps every 18 hours. */
export function middleNtp(epochMs: number): number {
  const { seconds, fraction } = ntpOf(epochMs);
  return ((seconds & 0xffff) * 0x1_0000 + (fraction >>> 16)) >>> 0;
}

export function buildRtcp({ ssrc, cname, sender, block, goodbye = false }: RtcpReport): Buffer {
  const reportBytes = 8 + (sender ? 20 : 0) + (block ? REPORT_BLOCK_BYTES : 0);
  const report = Buffer.alloc(reportBytes);
  writeHead(report, block ? 1 : 0, sender ? TYPE.senderReport : TYPE.receiverReport);
  report.writeUInt32BE(ssrc, 4);
  let at = 8;
  if (sender) {
    const { seconds, fraction } = ntpOf(sender.nowMs);
    report.writeUInt32BE(seconds, at);
    report.writeUInt32BE(fraction, at + 4);
    report.writeUInt32BE(sender.rtpTimestamp >>> 0, at + 8);
    report.writeUInt32BE(sender.packets >>> 0, at + 12);
    report.writeUInt32BE(sender.octets >>> 0, at + 16);
    at += 20;
  }
  if (block) writeBlock(report, at, block);
  const parts = [report, sourceDescription(ssrc, cname)];
  if (goodbye) parts.push(goodbyeOf(ssrc));
  return Buffer.concat(parts);
}

function writeHead(packet: Buffer, count: number, type: number): void {
  packet.writeUInt8(0x80 | count, 0);
  packet.writeUInt8(type, 1);
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
}

function writeBlock(report: Buffer, at: number, block: ReportBlock): void {
  report.writeUInt32BE(block.ssrc, at);
  report.writeUInt8(block.fractionLost, at + 4);
  report.writeIntBE(Math.max(-0x80_0000, Math.min(0x7f_ffff, block.cumulativeLost)), at + 5, 3);
  report.writeUInt32BE(block.extendedHighest >>> 0, at + 8);
  report.writeUInt32BE(block.jitter >>> 0, at + 12);
  report.writeUInt32BE(block.lastSenderReport >>> 0, at + 16);
  report.writeUInt32BE(Math.round((block.sinceLastSenderReportMs * 65_536) / 1_000) >>> 0, at + 20);
}

/** One chunk with a CNAME, terminated by at least one zero and padded to whole words. */
function sourceDescription(ssrc: number, cname: string): Buffer {
  const name = Buffer.from(cname).subarray(0, 255);
  const packet = Buffer.alloc(4 + 4 * Math.ceil((4 + 2 + name.length + 1) / 4));
  writeHead(packet, 1, TYPE.sourceDescription);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt8(1, 8);
  packet.writeUInt8(name.length, 9);
  name.copy(packet, 10);
  return packet;
}

function goodbyeOf(ssrc: number): Buffer {
  const packet = Buffer.alloc(8);
  writeHead(packet, 1, TYPE.goodbye);
  packet.writeUInt32BE(ssrc, 4);
  return packet;
}

/** Content of a compound packet. Unknown parts are skipped. */
export interface RtcpHeard {
  /** The middle NTP bits of a sender report, echoed in our next block. */
  senderReport: number | null;
  /** The peer's report on the stream that we send. */
  ofUs:
    | (Pick<ReportBlock, "fractionLost" | "cumulativeLost" | "jitter" | "lastSenderReport"> & {
        /** In 65,536ths of a second, as sent. */
        delaySinceLast: number;
      })
    | null;
  goodbye: boolean;
}

/** SSRC of the sender: the first part of a compound packet is a report and starts with it. -1 if it is too short. */
export function senderOfReport(bytes: Uint8Array): number {
  return bytes.length < 8 ? -1 : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32BE(4);
}

/** Null if it is not RTCP. Never throws on any input. */
export function parseRtcp(bytes: Uint8Array, ourSsrc: number): RtcpHeard | null {
  const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const heard: RtcpHeard = { senderReport: null, ofUs: null, goodbye: false };
  let understood = false;
  for (let at = 0; at + 8 <= packet.length;) {
    const length = (packet.readUInt16BE(at + 2) + 1) * 4;
    const type = packet.readUInt8(at + 1);
    if (packet.readUInt8(at) >> 6 !== 2 || at + length > packet.length) return understood ? heard : null;
    const part = packet.subarray(at, at + length);
    if (type === TYPE.senderReport && part.length >= 28) {
      heard.senderReport = part.readUInt32BE(10);
      readBlocks(part, 28, ourSsrc, heard);
    } else if (type === TYPE.receiverReport) {
      readBlocks(part, 8, ourSsrc, heard);
    } else if (type === TYPE.goodbye) {
      heard.goodbye = true;
    }
    understood ||= type >= TYPE.senderReport && type <= TYPE.goodbye;
    at += length;
  }
  return understood ? heard : null;
}

function readBlocks(part: Buffer, from: number, ourSsrc: number, heard: RtcpHeard): void {
  const count = Math.min(part.readUInt8(0) & 0x1f, MOST_SOURCES);
  for (let i = 0, at = from; i < count && at + REPORT_BLOCK_BYTES <= part.length; i++, at += REPORT_BLOCK_BYTES) {
    if (part.readUInt32BE(at) !== ourSsrc) continue;
    heard.ofUs = {
      fractionLost: part.readUInt8(at + 4),
      cumulativeLost: part.readIntBE(at + 5, 3),
      jitter: part.readUInt32BE(at + 12),
      lastSenderReport: part.readUInt32BE(at + 16),
      delaySinceLast: part.readUInt32BE(at + 20),
    };
  }
}

/** Null if the peer has not received a sender report of ours, or its values are implausible. */
export function roundTripMs(nowMs: number, ofUs: NonNullable<RtcpHeard["ofUs"]>): number | null {
  if (ofUs.lastSenderReport === 0) return null;
  const units = (middleNtp(nowMs) - ofUs.lastSenderReport - ofUs.delaySinceLast) | 0;
  // The peer rounds: a round trip on loopback may be slightly negative.
  if (units < -65 || units > 60 * 65_536) return null;
  return Math.max(0, (units * 1_000) / 65_536);
}
