// Allowed destinations of events: public addresses, plus private, loopback and unique-local ones that the configuration
// allows. Link-local, metadata, multicast and reserved addresses are always blocked.
import { formatIp, type IpBytes } from "../../net/addresses.ts";
import { parseAllowList as parsed, refusedKind, type AddressRules, type AllowList } from "../../net/allow-list.ts";

export type { AllowList };

const RECEIVERS: AddressRules = {
  open: ["public"],
  openable: ["private", "loopback", "unique-local"],
  advice:
    "Only private, loopback and unique-local addresses can be opened; public ones are open anyway, all others never.",
};

/** Why this address is blocked for this host; null if it is allowed. */
export function refusal(allow: AllowList, host: string, address: IpBytes): string | null {
  const kind = refusedKind(allow, host, address);
  return kind === null ? null : `${formatIp(address)} is not public (${kind})`;
}

/** Throws an Error that names the entry and the expected format. */
export function parseAllowList(entries: readonly string[]): AllowList {
  return parsed(RECEIVERS, entries);
}
