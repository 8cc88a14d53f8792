// How good a claim an address has to be the peer: the address that its SDP named, the trunk's own machine, or a
// neighbour of either where a NAT stands between. Pure.
import { formatIp, parseZonedIp } from "../../net/addresses.ts";

export interface ExpectedSource {
  /** As the peer's SDP names it. */
  address: string;
  port: number;
  /** The trunk's own addresses, from which its signalling comes. */
  trunkAddresses: readonly string[];
  /** The trunk's setting: the peer is behind a NAT, and sends from where its SDP does not say. */
  symmetricRtp: boolean;
}

/** The greater, the better the claim. */
export const CLAIM = { none: 0, neighbour: 1, trunkBehindNat: 2, trunk: 3, named: 4 } as const;
export type Claim = (typeof CLAIM)[keyof typeof CLAIM];

/** Made once for each SDP: what it costs to judge a stranger's packet, a flood of them costs. */
export function claimsOn(expected: ExpectedSource): (address: string, port: number) => Claim {
  const named = sourceAddress(expected.address);
  const trunk = new Set(expected.trunkAddresses.map(sourceAddress));
  const networks = new Set([named, ...trunk].map(networkOf));
  return (address, port) => {
    if (port === expected.port) {
      if (address === named) return CLAIM.named;
      // A machine with several addresses may send from another than it names; its port stays.
      if (trunk.has(address)) return CLAIM.trunk;
    }
    if (!expected.symmetricRtp) return CLAIM.none;
    if (trunk.has(address)) return CLAIM.trunkBehindNat;
    return networks.has(networkOf(address)) ? CLAIM.neighbour : CLAIM.none;
  };
}

/**
 * As addresses are compared here: in their one spelling, wherever the interface at which a packet came in stands beside
 * it.
 */
export function sourceAddress(address: string): string {
  const bytes = parseZonedIp(address);
  return bytes ? formatIp(bytes) : address;
}

/** What one site's NAT hands out: 256 addresses of IPv4, a /64 of IPv6. The address must be canonical. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address.slice(0, address.lastIndexOf("."));
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill("0"), ...tail].slice(0, 4).join(":");
}
