// What signalling has to know of an IP address: whether it is private, so that a peer behind a NAT is not taken at its
// word about where it lives, and whether we can reach it.
import { isIP } from "node:net";
import { canonicalAddress, isOfKind, type AddressKind } from "../../../net/addresses.ts";
import type { Endpoint } from "./flow.ts";

/** Behind a NAT, a carrier's own included (RFC 6598), or on this machine. Metadata services lie in such networks. */
const NOT_PUBLIC: readonly AddressKind[] = [
  "private",
  "loopback",
  "link-local",
  "carrier-grade NAT",
  "unique-local",
  "metadata",
];

export function isPrivateAddress(address: string): boolean {
  return isOfKind(NOT_PUBLIC, address);
}

/** Bound to every interface: no address that a peer could send to. */
export function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
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
  return canonicalAddress(address);
}
