// Packet captures for Wireshark: the classic pcap format with microseconds, each packet starting at its IP header. SIP
// over TCP or TLS is written as UDP between the same ports, because the bytes are known and the TCP segments are not.
import { isIP } from "node:net";
import type { LineMessage } from "./line-report.ts";
import { udpPacket, type Endpoint } from "./udp-packet.ts";

export const PCAP_HEADER_BYTES = 24;
const RECORD_HEADER_BYTES = 16;
const MAGIC_MICROSECONDS = 0xa1b2c3d4;
const LONGEST_PACKET = 262_144;
/** LINKTYPE_RAW: the first four bits of a packet distinguish IPv4 from IPv6. */
const LINK_TYPE = 101;
const SIP_PORT = 5060;

export function pcapHeader(): Uint8Array {
  const header = new DataView(new ArrayBuffer(PCAP_HEADER_BYTES));
  header.setUint32(0, MAGIC_MICROSECONDS, true);
  header.setUint16(4, 2, true);
  header.setUint16(6, 4, true);
  header.setUint32(16, LONGEST_PACKET, true);
  header.setUint32(20, LINK_TYPE, true);
  return new Uint8Array(header.buffer);
}

/** One pcap record: timestamp and datagram. */
export function pcapRecord(atMs: number, from: Endpoint, to: Endpoint, payload: Uint8Array): Uint8Array {
  const packet = udpPacket(from, to, payload);
  const record = new Uint8Array(RECORD_HEADER_BYTES + packet.length);
  const view = new DataView(record.buffer);
  const microseconds = Math.round(atMs * 1_000);
  view.setUint32(0, Math.floor(microseconds / 1_000_000), true);
  view.setUint32(4, microseconds % 1_000_000, true);
  view.setUint32(8, packet.length, true);
  view.setUint32(12, packet.length, true);
  record.set(packet, RECORD_HEADER_BYTES);
  return record;
}

export function sipRecord(message: LineMessage, local: Endpoint): Uint8Array {
  const payload = new TextEncoder().encode(message.text);
  const peer = endpointOf(message.peer);
  return message.direction === "sent"
    ? pcapRecord(message.atMs, local, peer, payload)
    : pcapRecord(message.atMs, peer, local, payload);
}

/** The signalling of a call. Without `local` our address is taken from the messages where they contain it. */
export function pcapOf(trace: readonly LineMessage[], local: Endpoint | null): Uint8Array<ArrayBuffer> {
  const us = local ?? localIn(trace) ?? { address: "", port: SIP_PORT };
  return Buffer.concat([pcapHeader(), ...trace.map((message) => sipRecord(message, us))]);
}

/** `udp 192.0.2.1:5060` or `tls 2001:db8::1:5061`. */
function endpointOf(peer: string): Endpoint {
  const [, address = "", port] = /^\S+ \[?(.*?)\]?:(\d+)$/.exec(peer) ?? [];
  return { address, port: Number(port ?? SIP_PORT) };
}

const TOP_VIA = /^(?:via|v)\s*:\s*SIP\s*\/\s*2\.0\s*\/\s*\w+\s+(\[[^\]]+\]|[^\s:;,]+)(?::(\d+))?/im;
const CONTACT = /^(?:contact|m)\s*:[^\r\n]*?sips?:(?:[^@>\s]*@)?(\[[^\]]+\]|[^\s:;>]+)(?::(\d+))?/im;

/** The top Via of our requests and of their responses is ours; for inbound calls our Contact has the address. */
function localIn(trace: readonly LineMessage[]): Endpoint | null {
  const isOurVia = ({ direction, firstLine }: LineMessage) =>
    (direction === "sent") !== firstLine.startsWith("SIP/2.0 ");
  const found = [
    ...trace.filter(isOurVia).map(({ text }) => TOP_VIA.exec(text)),
    ...trace.filter(({ direction }) => direction === "sent").map(({ text }) => CONTACT.exec(text)),
  ];
  for (const match of found) {
    const address = match?.[1]?.replaceAll(/[[\]]/g, "") ?? "";
    if (isIP(address) !== 0) return { address, port: Number(match?.[2] ?? SIP_PORT) };
  }
  return null;
}
