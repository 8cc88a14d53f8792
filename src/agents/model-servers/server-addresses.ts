// Address policy of model servers: host names are resolved before calls, every address is checked, and calls connect
// only to checked addresses.
import { formatIp, kindOf, parseIp, parseZonedIp, type AddressKind } from "../../net/addresses.ts";
import { parseAllowList, refusedKind, type AddressRules, type AllowList } from "../../net/allow-list.ts";
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { readServerUrl, type HttpUrl } from "../../net/http-url.ts";
import { inTime } from "../../core/within.ts";
import { systemResolve, type Resolve } from "../../net/dns.ts";

/** Default deny: patients' words go only to servers named in the configuration. */
const MODEL_SERVERS: AddressRules = {
  open: [],
  openable: ["public", "private", "loopback", "unique-local"],
  advice: "Public, private, loopback and unique-local addresses can be opened, all others never.",
};

/** Addresses inside the hospital's own network, for which plain http is allowed. */
const OWN_KINDS: readonly AddressKind[] = ["private", "loopback", "unique-local"];
const LOOK_UP_MS = 3 * SECOND_MS;
/** How long the last result stays valid when a look-up fails. */
const KEPT_MS = 15 * 60 * SECOND_MS;

/** Throws an Error that names the entry and the expected form. */
export function modelAllowList(entries: readonly string[]): AllowList {
  return parseAllowList(MODEL_SERVERS, entries);
}

export type Found = { addresses: readonly string[] } | { reason: string };

export interface ServerAddresses {
  /** The last result, at most 15 minutes old; empty if there is none. Read at every dial, so it does no look-up. */
  known(baseUrl: string): readonly string[];
  /** Resolves the host now and caches the result. Never rejects. */
  find(baseUrl: string): Promise<Found>;
  /** Why a server cannot be there, without a look-up; null if it could. */
  refusal(baseUrl: string): string | null;
}

export function createServerAddresses(options: { clock: Clock; allow: AllowList; resolve?: Resolve }): ServerAddresses {
  const { clock, allow, resolve = systemResolve } = options;
  const book = new Map<string, { addresses: readonly string[]; atMs: number }>();

  const refused = (url: HttpUrl, text: string): string | null => {
    const address = parseZonedIp(text);
    if (!address) return `${url.host} has an address that cannot be read.`;
    const kind = refusedKind(allow, url.host, address);
    if (kind !== null) {
      return `${url.host} is not allowed (${formatIp(address)} is ${kind}). Whoever runs this appliance opens it with models.allow.`;
    }
    if (!url.isTls && !OWN_KINDS.includes(kindOf(address))) {
      return `${url.host} is outside your own network: its address must begin with https://.`;
    }
    return null;
  };

  async function look(url: HttpUrl): Promise<Found> {
    const late = () => new Error("The look-up took too long.");
    const found = url.literal ? [url.host] : await inTime(clock, LOOK_UP_MS, resolve(url.host), late).catch(() => null);
    if (!found || found.length === 0)
      return { reason: `${url.host} cannot be found: is the name right, and known here?` };
    // One refused address refuses the host, because the client must not choose among them.
    const reason = found.map((text) => refused(url, text)).find((fault) => fault !== null) ?? null;
    return reason === null ? { addresses: [...new Set(found)] } : { reason };
  }

  return {
    known(baseUrl) {
      const entry = book.get(baseUrl);
      return entry && clock.elapsedMs() - entry.atMs < KEPT_MS ? entry.addresses : [];
    },
    async find(baseUrl) {
      const found = await look(readServerUrl(baseUrl));
      if ("addresses" in found) book.set(baseUrl, { addresses: found.addresses, atMs: clock.elapsedMs() });
      // The host now has a refused address: drops the cached one.
      else if (!found.reason.includes("cannot be found")) book.delete(baseUrl);
      return found;
    },
    refusal(baseUrl) {
      const url = readServerUrl(baseUrl);
      if (parseIp(url.host)) return refused(url, url.host);
      return null;
    },
  };
}
