// Ranks how likely an address is the peer: the address from its SDP, the trunk's own machine, or an address in the same
// network as either behind a NAT. Pure functions.
import { formatIp, parseZonedIp } from "../../net/addresses.ts";

export interface ExpectedSource {
  /** From the peer's SDP. */
  address: string;
  port: number;
  /** The trunk's own addresses, used by its signalling. */
  trunkAddresses: readonly string[];
  /** The trunk's setting: the peer is behind a NAT, and sends from an address that its SDP does not name. */
  symmetricRtp: boolean;
}

/** Higher is stronger. */
export const CLAIM = { none: 0, neighbour: 1, trunkBehindNat: 2, trunk: 3, named: 4 } as const;
export type Claim = (typeof CLAIM)[keyof typeof CLAIM];

/** Prepared once per SDP, because checking an unknown packet must be cheap during a flood. */
export function claimsOn(expected: ExpectedSource): (address: string, port: number) => Claim {
  const named = sourceAddress(expected.address);
  const trunk = new Set(expected.trunkAddresses.map(sourceAddress));
  const networks = new Set([named, ...trunk].map(networkOf));
  return (address, port) => {
    if (port === expected.port) {
      if (address === named) return CLAIM.named;
      // A machine with several addresses may send from another than it names; the port stays the same.
      if (trunk.has(address)) return CLAIM.trunk;
    }
    if (!expected.symmetricRtp) return CLAIM.none;
    if (trunk.has(address)) return CLAIM.trunkBehindNat;
    return networks.has(networkOf(address)) ? CLAIM.neighbour : CLAIM.none;
  };
}

/** Canonical spelling of an address for comparison, without the interface zone. */
export function sourceAddress(address: string): string {
  const bytes = parseZonedIp(address);
  return bytes ? formatIp(bytes) : address;
}

/** The network of one site's NAT: an IPv4 /24 or an IPv6 /64. The address must be canonical. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address.slice(0, address.lastIndexOf("."));
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill("0"), ...tail].slice(0, 4).join(":");
}
