// Where a trunk may be. A PBX is normally on the hospital's own network, so private addresses are open; this machine
// itself and what lies on the same wire are not, unless the configuration names them, and what can be no trunk never
// is.
import { formatIp, parseZonedIp } from "../net/addresses.ts";
import { parseAllowList, refusedKind, type AddressRules } from "../net/allow-list.ts";

/** Why a trunk named `host` may not be at this address; null where it may. */
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
