// Opens a connection to a checked address. The certificate is verified against the URL's host name, never the address.
import type { SecureContext } from "node:tls";
import { formatIp, type IpBytes } from "../addresses.ts";
import type { Deadline } from "../deadline.ts";
import { Connection } from "./connection.ts";
import { connectFailure, localFaultTowards, NetFailure, type FailureKind } from "../failure.ts";
import { openNativeWire } from "./native-wire.ts";
import type { OpenTunnel } from "./proxy.ts";
import { openTunnelWire } from "./tunnel-wire.ts";
import type { HttpUrl } from "../http-url.ts";
import type { Wire, WireRequest } from "./wire.ts";

/** With more, each share of the time would be too short for a slow handshake. */
const MOST_ADDRESSES_TRIED = 4;

export async function openConnection(
  target: HttpUrl,
  addresses: readonly IpBytes[],
  trust: SecureContext | null,
  openTunnel: OpenTunnel | null,
  deadline: Deadline,
): Promise<Connection> {
  const { wire, address } = await openWire(target, addresses, trust, openTunnel, deadline);
  return new Connection(wire, formatIp(address));
}

/** Nothing has been sent when a connection fails, so the next address may be tried. */
export async function openWire(
  target: HttpUrl,
  addresses: readonly IpBytes[],
  trust: SecureContext | null,
  openTunnel: OpenTunnel | null,
  deadline: Deadline,
): Promise<{ wire: Wire; address: IpBytes }> {
  const tried = addresses.slice(0, MOST_ADDRESSES_TRIED);
  let failure: NetFailure | null = null;
  for (const [i, address] of tried.entries()) {
    // The deadline has passed, so further attempts are pointless.
    if (failure && deadline.remainingMs() === 0) break;
    const share = deadline.share(tried.length - i);
    try {
      const request = wireRequest(target, address, trust, share);
      const wire = await (openTunnel ? throughTunnel(request, openTunnel) : openNativeWire(request));
      return { wire, address };
    } catch (error) {
      const latest = error instanceof NetFailure ? error : await judged(error, target, address);
      // The receiver is at fault if any of its addresses is.
      if (!failure || latest.kind !== "our_fault") failure = latest;
    }
  }
  throw failure ?? new NetFailure("unreachable", `${target.host}: the host name has no address.`);
}

async function throughTunnel(request: WireRequest, openTunnel: OpenTunnel): Promise<Wire> {
  const { target, address, trust, deadline } = request;
  if (!trust) throw new NetFailure("our_fault", `${placeOf(target, address)}: the proxy is used for TLS alone.`);
  return openTunnelWire({ ...request, trust }, await openTunnel(address, target.port, deadline));
}

async function judged(error: unknown, target: HttpUrl, address: IpBytes): Promise<NetFailure> {
  const where = placeOf(target, address);
  const failure = connectFailure(error, where);
  const localFault = failure.kind === "unreachable" ? await localFaultTowards(address, target.port) : null;
  return localFault === null
    ? failure
    : new NetFailure("our_fault", `${where}: this machine cannot connect (${localFault}).`);
}

function wireRequest(target: HttpUrl, address: IpBytes, trust: SecureContext | null, deadline: Deadline): WireRequest {
  const failure = (kind: FailureKind, what: string) => new NetFailure(kind, `${placeOf(target, address)}: ${what}.`);
  return {
    target,
    address,
    trust,
    deadline,
    late: () => failure("timeout", trust ? "no TLS connection in time" : "no connection in time"),
    closed: () => failure("unreachable", trust ? "closed during the TLS handshake" : "closed at once"),
    unverified: () => failure("unreachable", "the certificate was not verified"),
  };
}

function placeOf(target: HttpUrl, address: IpBytes): string {
  const text = formatIp(address);
  return target.host === text ? `${text} port ${target.port}` : `${target.host} at ${text} port ${target.port}`;
}
