// What there is to know of an IP address: whether it is private, so that a peer behind a NAT is not taken at its word about
// where it lives, how it is spelled, and whether we can reach it.
import { BlockList, isIP } from "node:net";
import { formatIp, parseIp } from "../../../core/addresses.ts";
import type { Endpoint } from "../transport/flow.ts";

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  // Carrier-grade NAT, RFC 6598.
  ["100.64.0.0", 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");
PRIVATE.addAddress("::1", "ipv6");

export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Bound to every interface: no address that a peer could send to. */
export function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

/** One spelling for each address, so that texts can be compared: IPv6 has many, and writes IPv4 as IPv6 too. */
export function canonicalAddress(text: string): string {
  const address = parseIp(text);
  return address ? formatIp(address) : text.toLowerCase();
}

/** Whether a socket that is bound to `own` can send there: `::` is for both versions of IP. */
export function canReach(own: string, address: string): boolean {
  return own === "::" || isIP(own) === 0 || isIP(own) === isIP(address);
}

/** Our address for a peer that reaches us at `local`: the configured one, unless that is of the other version of IP. */
export function outerAddress(external: string | null, local: string): string {
  return external !== null && isIP(external) === isIP(local) ? external : local;
}

/** Our own address on the way to this peer: what the kernel would put on a packet. Sends nothing. */
export async function localAddressTowards(remote: Endpoint): Promise<string> {
  const hostname = isIP(remote.address) === 6 ? "::" : "0.0.0.0";
  const probe = await Bun.udpSocket({ hostname, connect: { hostname: remote.address, port: remote.port } });
  const { address } = probe.address;
  probe.close();
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
