// Which source a message belongs to: by sending application and facility, and the address it came from.
import { contains, parseIp, parseRange } from "../../net/addresses.ts";
import { Hl7Fault } from "./message/fault.ts";
import type { Hl7Source } from "./settings.ts";

export interface Peer {
  address: string;
}

/** Whether the source may send from this address. */
export function matches({ settings: { peers = [] } }: Pick<Hl7Source, "settings">, { address }: Peer): boolean {
  return peers.length === 0 || isListed(peers, address);
}

/** Addresses and ranges. */
export function isListed(entries: readonly string[], address: string): boolean {
  const ip = parseIp(address);
  if (!ip) return false;
  return entries.some((entry) => {
    const range = parseRange(entry);
    if (range) return contains(range, ip);
    const single = parseIp(entry);
    return single !== null && contains({ network: single, prefixBits: single.length * 8 }, ip);
  });
}

export function senderFault(found: number, isAmbiguous: boolean): Hl7Fault {
  const place = { segment: "MSH", field: 3 };
  if (isAmbiguous)
    return new Hl7Fault("AR", 204, place, "More than one source has this sending application and facility.");
  if (found > 0) return new Hl7Fault("AR", 204, place, "This sender is not expected from this address.");
  return new Hl7Fault("AR", 204, place, "No source has this sending application and facility (MSH-3, MSH-4).");
}
