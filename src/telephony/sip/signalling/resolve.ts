// From a trunk's host to addresses (RFC 3263, the light way): literal, SRV where no port is given, then A and AAAA.
import { lookup, resolveSrv } from "node:dns/promises";
import { isIP } from "node:net";
import type { TrunkRefusal } from "../../trunk-addresses.ts";
import type { Endpoint, TransportName } from "./transport/flow.ts";

export interface Resolver {
  addresses(host: string): Promise<string[]>;
  srv(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>;
}

/** `lookup` obeys /etc/hosts, as an administrator expects; SRV records live in DNS alone. */
export const systemResolver: Resolver = {
  addresses: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  srv: (name) => resolveSrv(name),
};

const SRV_NAMES: Readonly<Record<TransportName, string>> = { udp: "_sip._udp", tcp: "_sip._tcp", tls: "_sips._tcp" };
const MOST_ADDRESSES = 16;

interface Target {
  host: string;
  port: number;
  transport: TransportName;
}

/** The host has an address at which no trunk may be. */
export class RefusedAddress extends Error {}

/**
 * In the order in which they should be tried. Throws where the host has no address. Each address is checked at each look: a
 * name may point elsewhere tomorrow. One that is refused refuses all, since the name is not trusted with a choice.
 */
export async function resolveTrunk(target: Target, resolver: Resolver, refusal: TrunkRefusal): Promise<Endpoint[]> {
  const found = await endpointsOf(target, resolver);
  for (const { name, address } of found) {
    const reason = refusal(target.host, address);
    if (reason !== null && refusal(name, address) !== null) throw new RefusedAddress(reason);
  }
  return found.map(({ address, port }) => ({ address, port }));
}

async function endpointsOf(target: Target, resolver: Resolver): Promise<(Endpoint & { name: string })[]> {
  const defaultPort = target.transport === "tls" ? 5061 : 5060;
  const port = target.port === 0 ? defaultPort : target.port;
  if (isIP(target.host) !== 0) return [{ name: target.host, address: target.host.toLowerCase(), port }];
  const servers = target.port === 0 ? await serversOf(target, resolver) : [];
  if (servers.length === 0) servers.push({ name: target.host, port });
  const lists = await Promise.all(
    servers.map(async (server) =>
      (await resolver.addresses(server.name)).map((address) => ({
        name: server.name,
        address: address.toLowerCase(),
        port: server.port,
      })),
    ),
  );
  return lists.flat().slice(0, MOST_ADDRESSES);
}

/** Lowest priority first, and within it the heaviest first: a fixed order, since we have one trunk and not a crowd. */
async function serversOf({ host, transport }: Target, resolver: Resolver): Promise<{ name: string; port: number }[]> {
  try {
    const records = await resolver.srv(`${SRV_NAMES[transport]}.${host}`);
    return records
      .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
      .filter(({ name }) => name !== ".");
  } catch {
    return [];
  }
}

/** Our own address on the way to this peer: what the kernel would put on a packet. Sends nothing. */
export async function localAddressTowards(remote: Endpoint): Promise<string> {
  const hostname = isIP(remote.address) === 6 ? "::" : "0.0.0.0";
  const probe = await Bun.udpSocket({ hostname, connect: { hostname: remote.address, port: remote.port } });
  const { address } = probe.address;
  probe.close();
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
