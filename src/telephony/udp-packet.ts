// Encodes a UDP datagram with its IP header (RFC 768, 791 and 8200), checksums included.
import { parseZonedIp, type IpBytes } from "../net/addresses.ts";

export interface Endpoint {
  address: string;
  port: number;
}

const UDP_PROTOCOL = 17;
const UDP_HEADER_BYTES = 8;
const IPV4_HEADER_BYTES = 20;
const IPV6_HEADER_BYTES = 40;
const HOPS = 64;
/** The largest payload for the 16-bit length fields, in both versions of IP. */
const MOST_PAYLOAD_BYTES = 0xffff - IPV4_HEADER_BYTES - UDP_HEADER_BYTES;

/** IPv4 if both sides are, otherwise IPv6. An invalid address, such as a host name, becomes the zero address. */
export function udpPacket(from: Endpoint, to: Endpoint, payload: Uint8Array): Uint8Array {
  const data = payload.subarray(0, MOST_PAYLOAD_BYTES);
  const [source, target] = [parseZonedIp(from.address), parseZonedIp(to.address)];
  const header =
    source?.length === 4 && target?.length === 4
      ? ipv4Header(source, target, UDP_HEADER_BYTES + data.length)
      : ipv6Header(asIpv6(source), asIpv6(target), UDP_HEADER_BYTES + data.length);
  const packet = new Uint8Array(header.length + UDP_HEADER_BYTES + data.length);
  packet.set(header);
  packet.set(data, header.length + UDP_HEADER_BYTES);

  const view = new DataView(packet.buffer);
  view.setUint16(header.length, from.port);
  view.setUint16(header.length + 2, to.port);
  view.setUint16(header.length + 4, UDP_HEADER_BYTES + data.length);
  // Both headers end with the addresses, so these and the datagram are contiguous.
  const addressesAt = header.length - (header.length === IPV4_HEADER_BYTES ? 8 : 32);
  const sum = wordSum(packet, addressesAt) + UDP_PROTOCOL + UDP_HEADER_BYTES + data.length;
  // Zero would mean no checksum (RFC 768).
  view.setUint16(header.length + 6, complement(sum) || 0xffff);
  return packet;
}

function ipv4Header(source: Uint8Array, target: Uint8Array, bodyBytes: number): Uint8Array {
  const header = new Uint8Array(IPV4_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint8(0, 0x45);
  view.setUint16(2, IPV4_HEADER_BYTES + bodyBytes);
  view.setUint16(6, 0x4000); // Not fragmented, so the identification may be 0 (RFC 6864).
  view.setUint8(8, HOPS);
  view.setUint8(9, UDP_PROTOCOL);
  header.set(source, 12);
  header.set(target, 16);
  view.setUint16(10, complement(wordSum(header, 0)));
  return header;
}

function ipv6Header(source: Uint8Array, target: Uint8Array, bodyBytes: number): Uint8Array {
  const header = new Uint8Array(IPV6_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint8(0, 0x60);
  view.setUint16(4, bodyBytes);
  view.setUint8(6, UDP_PROTOCOL);
  view.setUint8(7, HOPS);
  header.set(source, 8);
  header.set(target, 24);
  return header;
}

/** Sum of 16-bit words (RFC 1071); an odd last byte is padded with zero. */
function wordSum(bytes: Uint8Array, from: number): number {
  let sum = 0;
  for (let i = from; i < bytes.length; i += 2) sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  return sum;
}

function complement(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}

/** IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2); zeros if there is none, or for 0.0.0.0. */
function asIpv6(address: IpBytes | null): Uint8Array {
  if (address?.length === 16) return address;
  const bytes = new Uint8Array(16);
  if (address?.some((byte) => byte !== 0)) bytes.set([0xff, 0xff, ...address], 10);
  return bytes;
}
