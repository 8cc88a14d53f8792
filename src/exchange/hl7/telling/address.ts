// Addresses of systems that we send to: mllp://HOST:PORT, or mllps:// with TLS.
import { parseAllowList, refusedKind, type AddressRules, type AllowList } from "../../../net/allow-list.ts";
import { formatIp, parseIp, type IpBytes } from "../../../net/addresses.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Deadline } from "../../../net/deadline.ts";
import { lookUp, type Resolve } from "../../../net/dns.ts";
import { NetFailure } from "../../../net/failure.ts";
import { readHttpUrl, type HttpUrl } from "../../../net/http-url.ts";

/** Patients' data go there, so no address is open that the settings do not name. */
const PEERS: AddressRules = {
  open: [],
  openable: ["public", "private", "loopback", "unique-local"],
  advice: "List addresses and ranges of the systems that send and receive HL7.",
};

/** Throws an Error that names the entry. */
export const parsePeers = (entries: readonly string[]): AllowList => parseAllowList(PEERS, entries);

export function isPeer(peers: AllowList, address: string): boolean {
  const ip = parseIp(address);
  return ip !== null && refusedKind(peers, "", ip) === null;
}

/** Throws an Error that says what the address must be. */
export function readAddress(text: string): HttpUrl {
  if (!/^mllps?:\/\//.test(text)) throw new Error("must begin with mllp:// or mllps://");
  const target = readHttpUrl(text.replace(/^mllp/, "http"), "mllp://HOST:PORT");
  if (!/^mllps?:\/\/[^/]+:\d+\/?$/.test(text) || target.path !== "/")
    throw new Error("must be a host and a port, such as mllp://10.20.0.5:2575");
  return target;
}

/** Checked at registration, without DNS: throws an Error. */
export function assertPeerAddress(text: string, peers: AllowList): void {
  const { literal, host } = readAddress(text);
  const refused = literal && refusedKind(peers, host, literal);
  if (refused) throw new Error(`must be in hl7.allow of the settings, and ${host} is not`);
}

/** Throws a NetFailure. */
export async function peerAddresses(
  target: HttpUrl,
  peers: AllowList,
  resolve: Resolve,
  deadline: Deadline,
): Promise<IpBytes[]> {
  const addresses = target.literal ? [target.literal] : await lookUp(target.host, resolve, deadline);
  for (const address of addresses)
    if (refusedKind(peers, target.host, address) !== null)
      throw new NetFailure("blocked", `${target.host}: ${formatIp(address)} is not in hl7.allow of the settings.`);
  return addresses;
}

export const addressFault = (error: unknown): string => `address ${messageOf(error)}.`;
