// DNS interface, and its implementation with the system resolver.
import { lookup, Resolver as DnsResolver } from "node:dns/promises";

export interface AddressRecord {
  address: string;
  /** Null if unknown. */
  ttlSeconds: number | null;
}

export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
  ttlSeconds: number | null;
}

export interface NaptrRecord {
  order: number;
  preference: number;
  flags: string;
  service: string;
  replacement: string;
  ttlSeconds: number | null;
}

/** Each resolves to an empty list if there are no such records, and rejects if the lookup failed. */
export interface Resolver {
  addresses(host: string): Promise<AddressRecord[]>;
  srv(name: string): Promise<SrvRecord[]>;
  naptr(name: string): Promise<NaptrRecord[]>;
}

/** The name does not exist, or has no such record. */
const NONE = new Set(["ENOTFOUND", "ENODATA"]);
/** Short, because the resolver has just cached the result of `lookup`. */
const TTL_TIMEOUT_MS = 300;
const TIMEOUT_MS = 1_000;

/** `servers`: for example `192.0.2.53:53`; the system's by default. */
export function createSystemResolver(servers: readonly string[] = []): Resolver {
  const resolver = new DnsResolver({ timeout: TIMEOUT_MS, tries: 2 });
  const hasty = new DnsResolver({ timeout: TTL_TIMEOUT_MS, tries: 1 });
  for (const one of servers.length > 0 ? [resolver, hasty] : []) one.setServers([...servers]);

  async function ttlsOf(host: string): Promise<Map<string, number>> {
    const answers = await Promise.allSettled([
      hasty.resolve4(host, { ttl: true }),
      hasty.resolve6(host, { ttl: true }),
    ]);
    const records = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return new Map(records.map(({ address, ttl }) => [address, ttl]));
  }

  return {
    // `lookup` honours /etc/hosts, as administrators expect, but returns no TTL.
    addresses: (host) =>
      orNone(async () => {
        const found = await lookup(host, { all: true });
        const ttls = await ttlsOf(host);
        return found.map(({ address }) => ({ address, ttlSeconds: ttls.get(address) ?? null }));
      }),
    srv: (name) => orNone(async () => (await resolver.resolveSrv(name)).map(withoutTtl)),
    naptr: (name) => orNone(async () => (await resolver.resolveNaptr(name)).map(withoutTtl)),
  };
}

function withoutTtl<T extends object>(record: T): T & { ttlSeconds: null } {
  return { ...record, ttlSeconds: null };
}

async function orNone<T>(question: () => Promise<T[]>): Promise<T[]> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof Error && "code" in error && NONE.has(String(error.code))) return [];
    throw error;
  }
}
