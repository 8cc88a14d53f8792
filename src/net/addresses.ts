// Parser and classification of IP addresses (IANA special-purpose registries, RFC 6890 and successors).
import { lazily } from "../core/lazily.ts";

/** 4 bytes for IPv4, 16 for IPv6. */
export type IpBytes = Uint8Array;

export interface IpRange {
  network: IpBytes;
  prefixBits: number;
}

export type AddressKind =
  | "public"
  | "loopback"
  | "private"
  | "unique-local"
  | "metadata"
  | "link-local"
  | "carrier-grade NAT"
  | "multicast"
  | "broadcast"
  | "unspecified"
  | "benchmarking"
  | "documentation"
  | "discard"
  | "site-local"
  | "tunnel"
  | "reserved";

/**
 * The first matching range applies. Metadata services come first, because some are inside ranges that can be allowed.
 */
const IPV4_KINDS = kindTable([
  ["169.254.169.254/32", "metadata"],
  ["100.100.100.200/32", "metadata"], // Alibaba Cloud
  ["168.63.129.16/32", "metadata"], // Azure's host agent, on an address that looks public
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "tunnel"], // 6to4 relays, RFC 7526
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"],
  ["0.0.0.0/0", "public"],
]);

const IPV6_KINDS = kindTable([
  ["fd00:ec2::/32", "metadata"], // AWS: fd00:ec2::254 and its neighbours
  ["fd20:ce::254/128", "metadata"], // Google Cloud
  ["::1/128", "loopback"],
  ["::/128", "unspecified"],
  ["::/96", "reserved"], // IPv4-compatible, deprecated by RFC 4291, section 2.5.5.1
  ["64:ff9b:1::/48", "tunnel"], // local NAT64, RFC 8215: the position of the IPv4 address is not known
  ["100::/64", "discard"],
  ["2001::/32", "tunnel"], // Teredo
  ["2001:2::/48", "benchmarking"],
  ["2001:db8::/32", "documentation"],
  ["2001::/23", "reserved"],
  ["2002::/16", "tunnel"], // 6to4
  ["3fff::/20", "documentation"],
  ["fc00::/7", "unique-local"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"],
  ["2000::/3", "public"],
  ["::/0", "reserved"], // outside 2000::/3 nothing is assigned to the public internet
]);

const IPV4_MAPPED = rangeOf("::ffff:0:0/96");
/** RFC 6052: behind DNS64 every IPv4 receiver has this form, so the embedded IPv4 address is classified. */
const NAT64 = rangeOf("64:ff9b::/96");

export function kindOf(address: IpBytes): AddressKind {
  if (contains(NAT64, address) || contains(IPV4_MAPPED, address)) return kindOf(address.subarray(12));
  const table = address.length === 4 ? IPV4_KINDS() : IPV6_KINDS();
  return table.find(({ range }) => contains(range, address))?.kind ?? "reserved";
}

/** The ranges of this kind, if it has its own. */
export function rangesOf(kind: AddressKind): IpRange[] {
  return [...IPV4_KINDS(), ...IPV6_KINDS()].filter((entry) => entry.kind === kind).map(({ range }) => range);
}

export function contains(range: IpRange, address: IpBytes): boolean {
  const { network, prefixBits } = range;
  if (network.length !== address.length) return false;
  // A plain loop for speed: every address is compared with a table of ranges before each delivery.
  for (let i = 0; i * 8 < prefixBits; i++)
    if ((((address[i] ?? 0) ^ (network[i] ?? 0)) & maskByte(prefixBits, i)) !== 0) return false;
  return true;
}

export function overlap(a: IpRange, b: IpRange): boolean {
  return a.prefixBits <= b.prefixBits ? contains(a, b.network) : contains(b, a.network);
}

/** The first address of the range: the only valid network part of its CIDR. */
export function networkOf({ network, prefixBits }: IpRange): IpBytes {
  return network.map((byte, i) => byte & maskByte(prefixBits, i));
}

function maskByte(prefixBits: number, index: number): number {
  const bits = Math.min(Math.max(prefixBits - index * 8, 0), 8);
  return (0xff << (8 - bits)) & 0xff;
}

/** Accepts standard notation only; null for anything else. An IPv4-mapped address becomes its IPv4 address. */
export function parseIp(text: string): IpBytes | null {
  const address = text.includes(":") ? parseIpv6(text) : parseIpv4(text);
  return address && contains(IPV4_MAPPED, address) ? address.subarray(12) : address;
}

/** As reported by the system: link-local addresses with their interface (`fe80::1%eth0`), which is dropped. */
export function parseZonedIp(text: string): IpBytes | null {
  return parseIp(text.replace(/%.*$/, ""));
}

/** Whether the text is an address of one of these kinds. */
export function isOfKind(kinds: readonly AddressKind[], text: string): boolean {
  const address = parseZonedIp(text);
  return address !== null && kinds.includes(kindOf(address));
}

/** Canonical notation of an address, for comparison: IPv6 has several, including IPv4-mapped ones. */
export function canonicalAddress(text: string): string {
  const address = parseIp(text);
  return address ? formatIp(address) : text.toLowerCase();
}

function parseIpv4(text: string): IpBytes | null {
  const parts = text.split(".");
  const isStandard =
    parts.length === 4 && parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255);
  return isStandard ? Uint8Array.from(parts, Number) : null;
}

function parseIpv6(text: string): IpBytes | null {
  const [before = "", after, ...more] = text.split("::");
  if (more.length > 0) return null;
  const head = ipv6Groups(before, after === undefined);
  const tail = ipv6Groups(after ?? "", true);
  if (!head || !tail) return null;
  const missing = 16 - head.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 2) return null;
  return Uint8Array.from([...head, ...Array<number>(missing).fill(0), ...tail]);
}

/** Bytes of colon-separated groups; the last may be a dotted IPv4 address if the text ends the address. */
function ipv6Groups(text: string, endsAddress: boolean): number[] | null {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [i, group] of groups.entries()) {
    const dotted = endsAddress && i === groups.length - 1 ? parseIpv4(group) : null;
    if (dotted) {
      bytes.push(...dotted);
    } else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else {
      return null;
    }
  }
  return bytes;
}

/** RFC 5952 formatting is left to the URL parser, which writes every IPv6 address in its canonical form. */
export function formatIp(address: IpBytes): string {
  if (address.length === 4) return address.join(".");
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((address[i * 2] ?? 0) << 8) | (address[i * 2 + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** `network/bits`, or null if it is not a range. The network is kept as written. */
export function parseRange(text: string): IpRange | null {
  const [networkText = "", bitsText = "", ...more] = text.split("/");
  const network = networkText.includes(":") ? parseIpv6(networkText) : parseIpv4(networkText);
  if (!network || more.length > 0 || !/^(0|[1-9][0-9]{0,2})$/.test(bitsText)) return null;
  const prefixBits = Number(bitsText);
  return prefixBits <= network.length * 8 ? { network, prefixBits } : null;
}

function rangeOf(text: string): IpRange {
  const range = parseRange(text);
  if (!range) throw new Error(`${text} is no address range.`);
  return range;
}

function kindTable(rows: readonly (readonly [string, AddressKind])[]) {
  return lazily(() => rows.map(([range, kind]) => ({ range: rangeOf(range), kind })));
}
