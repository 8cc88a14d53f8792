// Allowed addresses of trunks. A PBX is normally on the hospital's own network, so private addresses are allowed.
// Loopback and link-local addresses need an entry in the configuration. Addresses that cannot be a trunk are always
// refused.
import { formatIp, parseZonedIp } from "../net/addresses.ts";
import { parseAllowList, refusedKind, type AddressRules } from "../net/allow-list.ts";

/** Reason why the trunk `host` may not use this address; null if it may. */
export type TrunkRefusal = (host: string, address: string) => string | null;

const TRUNKS: AddressRules = {
  open: ["public", "private", "unique-local", "carrier-grade NAT", "benchmarking", "documentation"],
  openable: ["loopback", "link-local"],
  advice:
    "Only loopback and link-local addresses can be opened; public and private ones are open anyway, all others never.",
};

/** Throws an Error that names the entry and what to write instead. */
export function createTrunkRefusal(allowed: readonly string[]): TrunkRefusal {
  const list = parseAllowList(TRUNKS, allowed);
  return (host, text) => {
    const address = parseZonedIp(text);
    if (!address) return "its address cannot be read";
    const kind = refusedKind(list, host.toLowerCase().replace(/\.$/, ""), address);
    if (kind === null) return null;
    const isOpenable = TRUNKS.openable.includes(kind);
    return `${formatIp(address)} is ${kind}${isOpenable ? ", which telephony.sip.allow_local does not open" : ""}`;
  };
}
