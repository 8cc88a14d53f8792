// DNS resolution: host name → all its addresses.
import { lookup } from "node:dns/promises";
import { parseZonedIp, type IpBytes } from "./addresses.ts";
import { beforeDeadline, type Deadline } from "./deadline.ts";
import { codeOf, localFaultTowards, NetFailure } from "./failure.ts";

export type Resolve = (host: string) => Promise<string[]>;

/** getaddrinfo: the system's own order of /etc/hosts, DNS and address preference. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
};

/**
 * The resolver answered that the name or address does not exist. This is the receiver's fault, and counts. Any other
 * failure counts as ours: getaddrinfo returns EAI_AGAIN alike for a resolver that is down, one that does not answer in
 * time, and one that got no answer from the name's own servers (SERVFAIL). The last may be the receiver's fault, but is
 * indistinguishable, and disabling a working endpoint is worse than retrying a dead one once a minute.
 */
const NO_SUCH_NAME = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME", "EAI_NODATA"]);

/** All distinct addresses of the host. Throws a NetFailure. */
export async function lookUp(host: string, resolve: Resolve, deadline: Deadline): Promise<IpBytes[]> {
  const late = () => new NetFailure("our_fault", `${host}: this machine's resolver gave no answer in time.`);
  let found: string[];
  try {
    found = await beforeDeadline(deadline, resolve(host), late);
  } catch (error) {
    throw error instanceof NetFailure ? error : await lookUpFailure(host, error);
  }
  if (found.length === 0) throw new NetFailure("unreachable", `${host}: the host name has no address.`);
  const addresses = found.map(parseZonedIp);
  if (addresses.includes(null))
    throw new NetFailure("our_fault", `${host}: this machine's resolver answered something that is no address.`);
  return withoutRepeats(addresses.flatMap((address) => address ?? []));
}

async function lookUpFailure(host: string, error: unknown): Promise<NetFailure> {
  const code = codeOf(error).replace(/^DNS_/, "");
  // getaddrinfo also returns ENOTFOUND when no file descriptor is left.
  const localFault = NO_SUCH_NAME.has(code)
    ? await localFaultTowards(Uint8Array.of(127, 0, 0, 1), 53)
    : code || "unknown";
  if (localFault === null) return new NetFailure("unreachable", `${host}: the host name does not exist (${code}).`);
  return new NetFailure("our_fault", `${host}: this machine's resolver failed (${localFault}).`);
}

function withoutRepeats(addresses: readonly IpBytes[]): IpBytes[] {
  return [...new Map(addresses.map((address) => [address.join("."), address])).values()];
}
