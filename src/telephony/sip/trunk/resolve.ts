// Resolves a trunk's host to addresses (RFC 3263): a literal address, or NAPTR, SRV, then A and AAAA. The transport is
// the trunk's setting: DNS selects among hosts, never among transports.
import { isIP } from "node:net";
import type { Clock } from "../../../core/clock.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { canonicalAddress } from "../../../net/addresses.ts";
import type { NaptrRecord, Resolver, SrvRecord } from "./dns.ts";
import { bySrvOrder } from "./srv-order.ts";
import type { Endpoint } from "../transport/flow.ts";
import type { TransportName } from "../../../trunks/trunk-settings.ts";

/** One address of one host. */
export interface Host extends Endpoint {
  /** The name in SRV or in the trunk's settings. */
  name: string;
  /** SRV priority: lower is better. The same for all without SRV. */
  priority: number;
}

export function keyOfHost({ address, port }: Host): string {
  return `${address} ${port}`;
}

export interface FoundHosts {
  /** In the order of use. */
  hosts: Host[];
  /** Time until the next lookup. */
  keepMs: number;
  /** False if the NAPTR or SRV lookup failed: other hosts may be right. */
  isCertain: boolean;
  /** Hosts whose address lookup failed. */
  silentNames: readonly string[];
}

interface Target {
  host: string;
  port: number;
  transport: TransportName;
}

export interface LookupMeans {
  clock: Clock;
  resolver: Resolver;
  refusal: TrunkRefusal;
  /** In [0, 1). */
  random: () => number;
  /** Whether our sockets can send there: an IPv4-only socket cannot reach IPv6. */
  canReach: (address: string) => boolean;
}

/** The host has an address that trunks may not use. */
export class RefusedAddress extends Error {}

const SRV_NAMES: Readonly<Record<TransportName, string>> = { udp: "_sip._udp", tcp: "_sip._tcp", tls: "_sips._tcp" };
const NAPTR_SERVICES: Readonly<Record<TransportName, string>> = { udp: "SIP+D2U", tcp: "SIP+D2T", tls: "SIPS+D2T" };
/** At most three consecutive queries, so a dead resolver takes 9 s. */
const PATIENCE_MS = 3_000;
const MOST_NAPTR_RECORDS = 4;
const MOST_SERVERS = 8;
const MOST_ADDRESSES_PER_NAME = 8;
const MOST_HOSTS = 16;
/** node:dns gives no TTL for SRV and NAPTR, nor for entries of /etc/hosts. */
const UNTOLD_TTL_SECONDS = 300;
/**
 * The lower limit avoids endless lookups at a TTL of zero; the upper limit bounds how long a moved host stays
 * unreachable.
 */
const SHORTEST_KEEP_MS = 30_000;
const LONGEST_KEEP_MS = 3_600_000;

/**
 * Throws if the host has no address. Every address is checked at each lookup, because a name may change its target. One
 * refused address refuses all, since the name cannot be trusted.
 */
export async function resolveTrunk(target: Target, means: LookupMeans): Promise<FoundHosts> {
  const port = target.port === 0 ? (target.transport === "tls" ? 5061 : 5060) : target.port;
  if (isIP(target.host) !== 0) {
    const literal = { name: target.host, address: canonicalAddress(target.host), port, priority: 0 };
    return { ...checked([literal], target, means), keepMs: LONGEST_KEEP_MS, isCertain: true, silentNames: [] };
  }
  const { servers, isCertain, ttls } =
    target.port === 0 ? await serversOf(target, means) : { servers: [], isCertain: true, ttls: [] };
  if (servers.length === 0) servers.push({ name: target.host, port, priority: 0, weight: 0, ttlSeconds: null });
  const { hosts, silentNames, ttls: addressTtls } = await addressesOf(servers, means);
  return { ...checked(hosts, target, means), keepMs: keepMsOf([...ttls, ...addressTtls]), isCertain, silentNames };
}

function checked(
  found: readonly Host[],
  target: Target,
  { refusal, canReach }: LookupMeans,
): Pick<FoundHosts, "hosts"> {
  if (found.length === 0) throw new Error("no address");
  for (const { name, address } of found) {
    const reason = refusal(target.host, address);
    if (reason !== null && refusal(name, address) !== null) throw new RefusedAddress(reason);
  }
  const hosts = found.filter(({ address }) => canReach(address));
  if (hosts.length === 0) throw new Error(OTHER_FAMILY);
  return { hosts };
}

const OTHER_FAMILY = 'its addresses are of another IP version than telephony.sip.address; "::" listens on both';

/** Empty if DNS has none: the host itself is then the server. */
async function serversOf({ host, transport }: Target, means: LookupMeans) {
  const { resolver } = means;
  const [naptr, plain] = await Promise.all([
    asked(means, () => resolver.naptr(host)),
    asked(means, () => resolver.srv(`${SRV_NAMES[transport]}.${host}`)),
  ]);
  let isCertain = naptr !== null;
  let records = plain;
  const pointers = preferred(naptr ?? [], transport);
  for (const { replacement } of pointers) {
    const pointed = await asked(means, () => resolver.srv(replacement));
    isCertain &&= pointed !== null;
    if (pointed === null || pointed.length === 0) continue;
    records = pointed;
    break;
  }
  isCertain &&= records !== null;
  const usable = (records ?? []).filter(({ name, port }) => name !== "" && name !== "." && port > 0);
  // RFC 2782: a single "." means that the service is not available.
  if (usable.length === 0 && records && records.length > 0) {
    throw new Error(`its DNS says that it takes no calls over ${transport.toUpperCase()}`);
  }
  const servers = bySrvOrder(usable, means.random).slice(0, MOST_SERVERS);
  return { servers, isCertain, ttls: [...pointers, ...servers].map(({ ttlSeconds }) => ttlSeconds) };
}

/** Only records of our transport that lead to SRV records, the only kind defined by RFC 3263. */
function preferred(records: readonly NaptrRecord[], transport: TransportName): NaptrRecord[] {
  return records
    .filter(({ service }) => service.toUpperCase() === NAPTR_SERVICES[transport])
    .filter(({ flags, replacement }) => flags.toLowerCase() === "s" && replacement !== "" && replacement !== ".")
    .toSorted((a, b) => a.order - b.order || a.preference - b.preference)
    .slice(0, MOST_NAPTR_RECORDS);
}

async function addressesOf(servers: readonly SrvRecord[], means: LookupMeans) {
  const names = [...new Set(servers.map(({ name }) => name))];
  const answers = new Map(
    await Promise.all(
      names.map(async (name) => [name, await asked(means, () => means.resolver.addresses(name))] as const),
    ),
  );
  const hosts = new Map<string, Host>();
  for (const { name, port, priority } of servers) {
    for (const record of (answers.get(name) ?? []).slice(0, MOST_ADDRESSES_PER_NAME)) {
      const address = canonicalAddress(record.address);
      const key = `${address} ${port}`;
      if (!hosts.has(key) && hosts.size < MOST_HOSTS) hosts.set(key, { name, address, port, priority });
    }
  }
  return {
    hosts: [...hosts.values()],
    silentNames: names.filter((name) => answers.get(name) === null),
    ttls: [...answers.values()].flatMap((records) => (records ?? []).map(({ ttlSeconds }) => ttlSeconds)),
  };
}

/** Null if the lookup failed or timed out. */
async function asked<T>({ clock }: LookupMeans, question: () => Promise<T[]>): Promise<T[] | null> {
  return new Promise((resolve) => {
    const cancel = clock.after(PATIENCE_MS, () => resolve(null));
    const answered = (records: T[] | null) => {
      cancel();
      resolve(records);
    };
    question().then(answered, () => answered(null));
  });
}

function keepMsOf(ttlsSeconds: readonly (number | null)[]): number {
  const shortest = Math.min(...ttlsSeconds.map((ttl) => ttl ?? UNTOLD_TTL_SECONDS));
  return Math.min(Math.max(shortest * 1_000, SHORTEST_KEEP_MS), LONGEST_KEEP_MS);
}
