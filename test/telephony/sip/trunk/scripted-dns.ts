// A scripted DNS zone that can change, time out or be down.
import type { Resolver } from "../../../../src/telephony/sip/trunk/dns.ts";

export interface Zone {
  /** Name → addresses. */
  addresses?: Record<string, string[]>;
  /** Name → `priority weight port target`. */
  srv?: Record<string, string[]>;
  /** Name → `order preference flags service replacement`. */
  naptr?: Record<string, string[]>;
  ttlSeconds?: number | null;
  /** Questions about these names fail. */
  failing?: string[];
  /** Questions about these names are never answered. */
  silent?: string[];
}

export interface ScriptedDns extends Resolver {
  /** May be changed at any time. */
  zone: Zone;
  /** `srv _sip._udp.trunk.example`, in the order in which they were asked. */
  asked: string[];
}

export function scriptedDns(zone: Zone): ScriptedDns {
  const asked: string[] = [];

  async function answer(kind: "addresses" | "srv" | "naptr", name: string): Promise<string[][]> {
    asked.push(`${kind} ${name}`);
    const { failing = [], silent = [] } = dns.zone;
    if (silent.includes(name)) return new Promise(() => {});
    if (failing.includes(name)) throw new Error("SERVFAIL");
    return (dns.zone[kind]?.[name] ?? []).map((record) => record.split(" "));
  }

  const ttl = () => ({ ttlSeconds: dns.zone.ttlSeconds ?? null });
  const dns: ScriptedDns = {
    zone,
    asked,
    addresses: async (host) => (await answer("addresses", host)).map(([address = ""]) => ({ address, ...ttl() })),
    srv: async (name) =>
      (await answer("srv", name)).map(([priority, weight, port, target = ""]) => ({
        name: target,
        port: Number(port),
        priority: Number(priority),
        weight: Number(weight),
        ...ttl(),
      })),
    naptr: async (name) =>
      (await answer("naptr", name)).map(([order, preference, flags = "", service = "", replacement = ""]) => ({
        order: Number(order),
        preference: Number(preference),
        flags,
        service,
        replacement,
        ...ttl(),
      })),
  };
  return dns;
}

/** Every name leads to these addresses, and nothing else is known. */
export function dnsLeadingTo(...addresses: string[]): Resolver {
  return { ...scriptedDns({}), addresses: async () => addresses.map((address) => ({ address, ttlSeconds: null })) };
}
