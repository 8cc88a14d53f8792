// Address rules of signalling: whether an address is private, so that the address announced by a peer behind a NAT is
// not used, and whether it is reachable.
import { isIP } from "node:net";
import { canonicalAddress, isOfKind, type AddressKind } from "../../../net/addresses.ts";
import type { Endpoint } from "./flow.ts";

/**
 * Behind a NAT, including carrier-grade NAT (RFC 6598), or on this machine. Metadata services use these networks too.
 */
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

/** Bound to every interface: not a destination address. */
export function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

/** Whether a socket bound to `own` can send there: `::` is dual-stack. */
export function canReach(own: string, address: string): boolean {
  return own === "::" || isIP(own) === 0 || isIP(own) === isIP(address);
}

/** Our address for a peer that reaches us at `local`: the configured one, unless its IP version differs. */
export function outerAddress(external: string | null, local: string): string {
  return external !== null && isIP(external) === isIP(local) ? external : local;
}

/** Our source address towards this peer, as the kernel selects it. Sends nothing. */
export async function localAddressTowards(remote: Endpoint): Promise<string> {
  const hostname = isIP(remote.address) === 6 ? "::" : "0.0.0.0";
  const probe = await Bun.udpSocket({ hostname, connect: { hostname: remote.address, port: remote.port } });
  const { address } = probe.address;
  probe.close();
  return canonicalAddress(address);
}
