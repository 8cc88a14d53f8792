// A UDP datagram as it stands on the wire from the IP header on (RFC 768, 791 and 8200), checksums included.
import { isIPv4, isIPv6 } from "node:net";

export interface Endpoint {
  address: string;
  port: number;
}

const UDP_PROTOCOL = 17;
const UDP_HEADER_BYTES = 8;
const IPV4_HEADER_BYTES = 20;
const IPV6_HEADER_BYTES = 40;
const HOPS = 64;
/** What fits beside both headers into the 16 bits of a length, in either version of IP. */
const MOST_PAYLOAD_BYTES = 0xffff - IPV4_HEADER_BYTES - UDP_HEADER_BYTES;

/** IPv4 where both sides are, else IPv6. An address that is none, such as a name, becomes the one of zeros. */
export function udpPacket(from: Endpoint, to: Endpoint, payload: Uint8Array): Uint8Array {
  const data = payload.subarray(0, MOST_PAYLOAD_BYTES);
  const [source, target] = [ipv4Bytes(from.address), ipv4Bytes(to.address)];
  const header =
    source && target
      ? ipv4Header(source, target, UDP_HEADER_BYTES + data.length)
      : ipv6Header(ipv6Bytes(from.address), ipv6Bytes(to.address), UDP_HEADER_BYTES + data.length);
  const packet = new Uint8Array(header.length + UDP_HEADER_BYTES + data.length);
  packet.set(header);
  packet.set(data, header.length + UDP_HEADER_BYTES);

  const view = new DataView(packet.buffer);
  view.setUint16(header.length, from.port);
  view.setUint16(header.length + 2, to.port);
  view.setUint16(header.length + 4, UDP_HEADER_BYTES + data.length);
  // Both addresses stand at the end of either header, so that they and the datagram are one stretch of bytes.
  const addressesAt = header.length - (source && target ? 8 : 32);
  const sum = wordSum(packet, addressesAt) + UDP_PROTOCOL + UDP_HEADER_BYTES + data.length;
  // Zero would say that there is none (RFC 768).
  view.setUint16(header.length + 6, complement(sum) || 0xffff);
  return packet;
}

function ipv4Header(source: Uint8Array, target: Uint8Array, bodyBytes: number): Uint8Array {
  const header = new Uint8Array(IPV4_HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint8(0, 0x45);
  view.setUint16(2, IPV4_HEADER_BYTES + bodyBytes);
  view.setUint16(6, 0x4000); // Not in fragments, so its identification may be 0 (RFC 6864).
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

/** The sum of 16-bit words (RFC 1071); an odd last byte counts as if a zero followed. */
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

/** Null for what is not IPv4. A socket for both versions tells IPv4 peers as `::ffff:192.0.2.1`. */
function ipv4Bytes(address: string): Uint8Array | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv4(plain) ? Uint8Array.from(plain.split("."), Number) : null;
}

function ipv6Bytes(address: string): Uint8Array {
  const bytes = new Uint8Array(16);
  const four = ipv4Bytes(address);
  if (four) {
    if (four.some((byte) => byte !== 0)) bytes.set([0xff, 0xff, ...four], 10);
    return bytes;
  }
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain)) return bytes;
  const [head = "", tail] = plain.split("::");
  const first = groupBytes(head);
  const last = groupBytes(tail ?? "");
  bytes.set(first);
  bytes.set(last, 16 - last.length);
  return bytes;
}

/** `2001:db8` is four bytes, and so is the `192.0.2.1` that may stand last. */
function groupBytes(groups: string): number[] {
  if (groups === "") return [];
  return groups.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
